import type { BaseContext } from '../../../app-context.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { changeSmtpSettings, presentSmtpSettings } from './change-smtp-settings.ts';
import { sendTestMessage } from './send-test-message.ts';

export function smtpSettingsHandlers(ctx: BaseContext) {
  return {
    async getSmtpSettings() {
      const row = await findSmtpSettings(ctx.db);
      return { status: 200, body: row ? presentSmtpSettings(row) : null };
    },
    async putSmtpSettings({ body, session, now }) {
      const row = await changeSmtpSettings(ctx, session, { ...body, password: body.password }, now);
      return { status: 200, body: presentSmtpSettings(row) };
    },
    async testSmtpSettings({ body, session, now }) {
      return { status: 200, body: await sendTestMessage(ctx, session.adminId, body.to, now) };
    },
  } satisfies Handlers;
}
