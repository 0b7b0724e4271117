import type { SmtpTestResult } from '@invigil/core/contract/installation/smtp-settings';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  type SmtpSettingsRow,
} from '../../../db/queries/smtp-settings.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { messageIdOf } from '../../../mail/message-id.ts';
import { renderTestMessage } from '../../../mail/messages/test-message.ts';
import { diagnose } from '../../../mail/smtp-diagnosis.ts';
import { handOver } from '../../../mail/smtp-transport.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import {
  changeSmtpSettings,
  mailServerOf,
  PASSWORD_UNREADABLE,
  presentSmtpSettings,
} from './change-smtp-settings.ts';
import { endPause } from './end-pause.ts';

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

/** A user waits for the result: it arrives well before a browser would time out. */
const TIMEOUTS = { connectMs: 8_000, responseMs: 10_000 };

/** Sends a test message at once and returns the result. Throws SMTP_NOT_CONFIGURED. */
async function sendTestMessage(
  ctx: BaseContext,
  adminId: string,
  to: string,
  now: Date,
): Promise<SmtpTestResult> {
  const settings = await findSmtpSettings(ctx.db);
  if (!settings) throw new AppError('SMTP_NOT_CONFIGURED');
  const server = mailServerOf(ctx, settings);
  const result: SmtpTestResult = server
    ? diagnose(
        await handOver(
          server,
          ctx.config.smtpAllowedHosts,
          { to, messageId: messageIdOf(ctx.config.publicUrl, newId()), date: now },
          renderTestMessage(ctx.config.publicUrl),
          TIMEOUTS,
        ),
      )
    : { delivered: false, stage: 'settings', message: PASSWORD_UNREADABLE, serverAnswer: null };
  if (result.delivered) await endPauseOf(ctx, settings, now);
  await recordAudit(ctx.db, {
    adminId,
    action: 'smtp_settings.tested',
    details: { stage: result.stage },
    at: now,
  });
  return result;
}

/** A test message that was taken shows that the account is free again. */
async function endPauseOf(ctx: BaseContext, tested: SmtpSettingsRow, now: Date): Promise<void> {
  await inTransaction(ctx.db, async (tx, afterCommit) => {
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    if (current?.updatedAt.getTime() !== tested.updatedAt.getTime()) return;
    await endPause(tx, current, now);
    afterCommit(() => ctx.wakeMail());
  });
}
