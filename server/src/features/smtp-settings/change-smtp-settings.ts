import type { SmtpSettings } from '@invigil/core/contract/smtp-settings';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { resolveMailHost } from '../../mail/mail-host.ts';
import type { MailServer } from '../../mail/smtp-transport.ts';
import { seal, unseal } from '../../security/sealing.ts';
import { recordAudit } from '../audit/queries.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  putSmtpSettings,
  type SmtpSettingsRow,
} from './queries.ts';

export interface SmtpSettingsInput {
  host: string;
  port: number;
  username: string;
  password: string | undefined;
  fromEmail: string;
  isActive: boolean;
}

/**
 * Sets the mail server. The password is sealed at rest and must be typed again when host, port or
 * user name change, so that nobody can have it sent to a server of theirs (product 8).
 *
 * Throws PASSWORD_NEEDED, FORBIDDEN_HOST.
 *
 * @param adminId `null` for the bootstrap from SMTP_URL
 */
export async function changeSmtpSettings(
  ctx: AppContext,
  adminId: string | null,
  input: SmtpSettingsInput,
  now: Date,
): Promise<SmtpSettingsRow> {
  // An unknown name is no reason to refuse: delivery says so in the outbox. A forbidden address is.
  const resolved = await resolveMailHost(input.host, ctx.config.smtpAllowedHosts);
  if (resolved.kind === 'forbidden') {
    throw new AppError('FORBIDDEN_HOST', {
      issues: [{ path: 'host', message: resolved.reason }],
      message: resolved.reason,
    });
  }
  const saved = await inTransaction(ctx.db, async (tx, afterCommit) => {
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    const id = current?.id ?? newId();
    const sealedPassword =
      input.password === undefined
        ? keptPassword(current, input)
        : sealPassword(ctx, id, input.password);
    const row = await putSmtpSettings(tx, {
      id,
      host: input.host,
      port: input.port,
      username: input.username,
      sealedPassword,
      fromEmail: input.fromEmail,
      isActive: input.isActive,
      updatedAt: now,
    });
    await recordAudit(tx, { adminId, action: 'smtp_settings.changed', at: now });
    afterCommit(() => ctx.wakeMail());
    return row;
  });
  return saved;
}

function keptPassword(current: SmtpSettingsRow | undefined, input: SmtpSettingsInput): Buffer {
  const same =
    current !== undefined &&
    current.host === input.host &&
    current.port === input.port &&
    current.username === input.username;
  if (same) return current.sealedPassword;
  throw new AppError('PASSWORD_NEEDED', {
    ...(current ? {} : { message: 'Enter a password' }),
    issues: [
      { path: 'password', message: current ? 'Type the password again' : 'Enter a password' },
    ],
  });
}

function sealPassword(ctx: AppContext, id: string, password: string): Buffer {
  return seal(ctx.keys.sealing, password, `smtp_settings/${id}`);
}

/** The stored settings as a try of delivery needs them, the password opened. */
export function mailServerOf(ctx: Pick<AppContext, 'keys'>, row: SmtpSettingsRow): MailServer {
  return {
    host: row.host,
    port: row.port,
    username: row.username,
    password: unseal(ctx.keys.sealing, row.sealedPassword, `smtp_settings/${row.id}`),
    fromEmail: row.fromEmail,
  };
}

/** Field by field, and never the password. */
export function presentSmtpSettings(row: SmtpSettingsRow): SmtpSettings {
  return {
    id: row.id,
    host: row.host,
    port: row.port,
    username: row.username,
    hasPassword: true,
    fromEmail: row.fromEmail,
    isActive: row.isActive,
  };
}
