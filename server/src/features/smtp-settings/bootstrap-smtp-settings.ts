import type { AppContext } from '../../app-context.ts';
import { changeSmtpSettings } from './change-smtp-settings.ts';
import { findSmtpSettings } from './queries.ts';

/** Takes the mail server from SMTP_URL into a database that has none; later changes are Settings'. */
export async function bootstrapSmtpSettings(ctx: AppContext): Promise<void> {
  const { smtpUrl } = ctx.config;
  if (!smtpUrl || (await findSmtpSettings(ctx.db))) return;
  const { host, port, username, password, fromEmail } = smtpUrl;
  await changeSmtpSettings(
    ctx,
    null,
    { host, port, username, password, fromEmail, isActive: true },
    ctx.clock.now(),
  );
}
