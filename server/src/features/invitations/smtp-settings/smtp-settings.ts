import type {
  SmtpSettings,
  SmtpTestResult,
} from '@invigil/core/contract/installation/smtp-settings';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { hastenMessages } from '../../../db/queries/outbox.ts';
import { forgivePause, putSendingPace } from '../../../db/queries/sending-pace.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  putSmtpSettings,
  type SmtpSettingsRow,
} from '../../../db/queries/smtp-settings.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { resolveMailHost } from '../../../mail/mail-host.ts';
import { messageIdOf } from '../../../mail/message-id.ts';
import { renderTestMessage } from '../../../mail/messages/test-message.ts';
import { paceAfterPause, UNLIMITED } from '../../../mail/sending-pace.ts';
import { diagnose } from '../../../mail/smtp-diagnosis.ts';
import { handOver, type MailServer } from '../../../mail/smtp-transport.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { SmtpUrl } from '../../../runtime/config.ts';
import { seal, unsealOrNull } from '../../../security/sealing.ts';
import { type Actor, requireFreshPassword } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';

export function smtpSettingsHandlers(ctx: BaseContext) {
  return {
    async getSmtpSettings() {
      const row = await findSmtpSettings(ctx.db);
      return row ? presentSmtpSettings(row) : null;
    },
    async putSmtpSettings({ body, session, now }) {
      return presentSmtpSettings(
        await changeSmtpSettings(ctx, session, { ...body, password: body.password }, now),
      );
    },
    testSmtpSettings: ({ body, session, now }) =>
      sendTestMessage(ctx, session.adminId, body.to, now),
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
  await recordAudit(ctx.db, now, adminId, 'smtp_settings.tested', null, { stage: result.stage });
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

interface SmtpSettingsInput {
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
async function changeSmtpSettings(
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
      testedAt: null,
      ...UNLIMITED,
    });
    // Messages that failed with the previous settings would wait for up to a quarter of an hour.
    await hastenMessages(tx, now);
    await recordAudit(tx, now, by?.adminId ?? null, 'smtp_settings.changed');
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
function presentSmtpSettings(row: SmtpSettingsRow): SmtpSettings {
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

/** Ends a pause of the queue: the account is free again. The caller holds `lockSmtpSettings`. */
export async function endPause(tx: Tx, settings: SmtpSettingsRow, now: Date): Promise<void> {
  if (settings.pausedAt === null) return;
  await forgivePause(tx, now.getTime() - settings.pausedAt.getTime());
  await putSendingPace(tx, paceAfterPause(settings, now));
}
