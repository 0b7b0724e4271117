import type { BaseContext } from '../../../app-context.ts';
import { findSmtpSettings, type SmtpSettingsRow } from '../../../db/queries/smtp-settings.ts';
import type { SmtpUrl } from '../../../runtime/config.ts';
import { changeSmtpSettings, mailServerOf } from './change-smtp-settings.ts';

/** Only their names are logged. */
const FIELDS = ['host', 'port', 'username', 'password', 'fromEmail'] as const;

/**
 * Stores the mail server from SMTP_URL in a database that has none; later changes are made in Settings.
 * An SMTP_URL that differs from the stored settings is logged.
 */
export async function bootstrapSmtpSettings(ctx: BaseContext): Promise<void> {
  const { smtpUrl } = ctx.config;
  if (!smtpUrl) return;
  const stored = await findSmtpSettings(ctx.db);
  if (stored) return warnOfDifference(ctx, smtpUrl, stored);
  const { host, port, username, password, fromEmail } = smtpUrl;
  await changeSmtpSettings(
    ctx,
    null,
    { host, port, username, password, fromEmail, isActive: true },
    ctx.clock.now(),
  );
}

function warnOfDifference(ctx: BaseContext, asked: SmtpUrl, stored: SmtpSettingsRow): void {
  const used = { ...stored, password: mailServerOf(ctx, stored)?.password };
  // A password that cannot be opened is reported where it is used.
  if (used.password === undefined) used.password = asked.password;
  const differs = FIELDS.filter((field) => used[field] !== asked[field]);
  if (differs.length === 0) return;
  ctx.log.warn(
    { differs },
    'SMTP_URL is ignored: another mail server is already configured. Change it in Settings, or remove SMTP_URL',
  );
}
