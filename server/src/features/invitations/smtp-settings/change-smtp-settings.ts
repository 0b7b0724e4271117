import type { SmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { hastenMessages } from '../../../db/queries/outbox.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  putSmtpSettings,
  type SmtpSettingsRow,
} from '../../../db/queries/smtp-settings.ts';
import { resolveMailHost } from '../../../mail/mail-host.ts';
import { UNLIMITED } from '../../../mail/sending-pace.ts';
import type { MailServer } from '../../../mail/smtp-transport.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { seal, unsealOrNull } from '../../../security/sealing.ts';
import { type Actor, requireFreshPassword } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { endPause } from './end-pause.ts';

export interface SmtpSettingsInput {
  host: string;
  port: number;
  username: string;
  password: string | undefined;
  fromEmail: string;
  isActive: boolean;
}

/**
 * Sets the mail server. The password is sealed at rest and must be entered again when host, port or
 * username changes, so that no one can have it sent to their own server (product 8). Messages waiting
 * after a failure are retried at once.
 *
 * Throws PASSWORD_NEEDED, FORBIDDEN_HOST; CONFIRM_PASSWORD for another host, or switching it off.
 *
 * @param by `null` for the bootstrap from SMTP_URL
 */
export async function changeSmtpSettings(
  ctx: BaseContext,
  by: Actor | null,
  input: SmtpSettingsInput,
  now: Date,
): Promise<SmtpSettingsRow> {
  // An unknown name is accepted, and delivery reports it in the outbox; a forbidden address is refused.
  const resolved = await resolveMailHost(input, ctx.config.smtpAllowedHosts);
  if (resolved.kind === 'forbidden') {
    throw new AppError('FORBIDDEN_HOST', {
      issues: [{ path: resolved.field, message: resolved.reason }],
      message: resolved.reason,
    });
  }
  const saved = await inTransaction(ctx.db, async (tx, afterCommit) => {
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    // With other settings the account may be free again; a pause did not count against the messages.
    if (current) await endPause(tx, current, now);
    const isSwitchedOff = current?.isActive === true && !input.isActive;
    if (by && (current?.host !== input.host || isSwitchedOff)) requireFreshPassword(by, now);
    const id = current?.id ?? newId();
    const sealedPassword =
      input.password === undefined
        ? keptPassword(ctx, current, input)
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
      ...UNLIMITED,
    });
    // Messages that failed with the previous settings would wait for up to a quarter of an hour.
    await hastenMessages(tx, now);
    await recordAudit(tx, {
      adminId: by?.adminId ?? null,
      action: 'smtp_settings.changed',
      at: now,
    });
    afterCommit(() => ctx.wakeMail());
    return row;
  });
  return saved;
}

function keptPassword(
  ctx: BaseContext,
  current: SmtpSettingsRow | undefined,
  input: SmtpSettingsInput,
): Buffer {
  const same =
    current !== undefined &&
    current.host === input.host &&
    current.port === input.port &&
    current.username === input.username;
  const isReadable = current !== undefined && mailServerOf(ctx, current) !== null;
  if (same && isReadable) return current.sealedPassword;
  const isLost = current !== undefined && !isReadable;
  throw new AppError('PASSWORD_NEEDED', {
    ...(current ? {} : { message: 'Enter a password' }),
    ...(isLost ? { message: 'Enter the password again: the stored one cannot be read' } : {}),
    issues: [
      { path: 'password', message: current ? 'Enter the password again' : 'Enter a password' },
    ],
  });
}

function sealPassword(ctx: BaseContext, id: string, password: string): Buffer {
  return seal(ctx.keys.sealing, password, `smtp_settings/${id}`);
}

/** Shown by outbox and test message when the password was sealed with another SECRET_KEY. */
export const PASSWORD_UNREADABLE =
  'The stored password of the mail server cannot be read with the SECRET_KEY of this installation. Enter it again in Settings';

/**
 * The stored settings for a delivery attempt, with the password opened; `null` when this SECRET_KEY
 * cannot open it.
 */
export function mailServerOf(
  ctx: Pick<BaseContext, 'keys'>,
  { id, host, port, username, sealedPassword, fromEmail }: SmtpSettingsRow,
): MailServer | null {
  const password = unsealOrNull(ctx.keys.sealing, sealedPassword, `smtp_settings/${id}`);
  return password === null ? null : { host, port, username, password, fromEmail };
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
