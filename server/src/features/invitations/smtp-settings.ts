import { isDeepStrictEqual } from 'node:util';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  SmtpSettings,
  SmtpTestResult,
  testSmtpSettings,
} from '@invigil/core/contract/installation/smtp-settings';
import { t } from '@invigil/core/texts/i18n';
import { faultReason } from '@invigil/core/texts/mail-problems';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { hastenMessages } from '../../db/queries/outbox.ts';
import { forgivePause, putSendingPace } from '../../db/queries/sending-pace.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  putSmtpSettings,
  putTestedAt,
  type SmtpSettingsRow,
} from '../../db/queries/smtp-settings.ts';
import { resolveMailHost } from '../../deliveries/mail-host.ts';
import { renderMail } from '../../deliveries/mails/mail.ts';
import { testMessage } from '../../deliveries/mails/test-message.ts';
import { messageIdOf } from '../../deliveries/message-id.ts';
import { paceAfterPause, UNLIMITED } from '../../deliveries/sending-pace.ts';
import { diagnose } from '../../deliveries/smtp-diagnosis.ts';
import { handOver, type MailServer, senderOf } from '../../deliveries/smtp-transport.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { SmtpUrl } from '../../runtime/config.ts';
import { boundContext, seal, unsealOrNull } from '../../security/sealing.ts';
import { type Actor, type Command, commandOf, SYSTEM, type Write } from '../../sessions/command.ts';
import { requireFreshPassword } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { isGenuine, MAIL_SERVER } from '../../trust/row-kinds.ts';
import { sealFields } from '../../trust/row-seal.ts';

export function smtpSettingsHandlers(ctx: BaseContext) {
  return {
    async getSmtpSettings() {
      const row = await findSmtpSettings(ctx.db);
      return row ? presentSmtpSettings(row) : null;
    },
    async putSmtpSettings({ body, command }) {
      return presentSmtpSettings(await changeSmtpSettings(ctx, command, body));
    },
    testSmtpSettings: ({ body, session, command, now }) =>
      sendTestMessage(ctx, command, session, body, now),
  } satisfies Handlers;
}

/** A user waits for the result: it arrives well before a browser would time out. */
const TIMEOUTS = { connectMs: 8_000, responseMs: 10_000 };

/** The settings as an administrator enters them. */
type EnteredServer = NonNullable<ParsedBodyOf<typeof testSmtpSettings>['settings']>;

/**
 * Sends a test message at once and returns the result. Settings that are not stored yet need what storing
 * them needs.
 *
 * Throws SMTP_NOT_CONFIGURED; PASSWORD_NEEDED, FORBIDDEN_HOST, CONFIRM_PASSWORD.
 */
async function sendTestMessage(
  ctx: BaseContext,
  command: Command<'smtp_settings.tested'>,
  by: Pick<AdminSession, 'adminId' | 'passwordAt'>,
  { to, settings }: ParsedBodyOf<typeof testSmtpSettings>,
  now: Date,
): Promise<SmtpTestResult> {
  if (settings) await requireAllowedHost(ctx, settings);
  const stored = await findSmtpSettings(ctx.db);
  const server = settings
    ? enteredServer(ctx, by, stored, settings, now)
    : stored && mailServerOf(ctx, stored);
  if (server === undefined) throw new AppError('SMTP_NOT_CONFIGURED');
  const institution = await readInstitution(ctx, ctx.db);
  const { publicUrl } = institution;
  const result: SmtpTestResult = server
    ? diagnose(
        await handOver(
          { ...server, ...senderOf(institution) },
          ctx.config.smtpAllowedHosts,
          { to, messageId: messageIdOf(publicUrl, newId()), date: now },
          renderMail(testMessage, { publicUrl }, undefined),
          TIMEOUTS,
        ),
      )
    : {
        ...{ delivered: false, stage: 'settings', serverAnswer: null },
        message: faultReason({
          code: stored ? whyNoMailServer(ctx, stored) : 'password_unreadable',
        }),
      };
  if (result.delivered && server && settings) result.proof = proofOf(ctx, server, now);
  await command(async (write) => {
    if (result.delivered && stored && !settings) await recordDelivery(ctx, write, stored);
    await write.record('smtp_settings.tested', null, { stage: result.stage });
  });
  return result;
}

/** A test message that was taken shows that the settings are correct and that the account is free again. */
async function recordDelivery(
  ctx: BaseContext,
  { tx, now, afterCommit }: Write<'smtp_settings.tested'>,
  tested: SmtpSettingsRow,
): Promise<void> {
  await lockSmtpSettings(tx);
  const current = await findSmtpSettings(tx);
  if (current?.updatedAt.getTime() !== tested.updatedAt.getTime()) return;
  await putTestedAt(tx, now);
  await endPause(tx, current, now);
  afterCommit(() => ctx.wakeMail());
}

/** Says, to `provenAt` only, that a message was taken with these settings at this time. */
function proofOf({ keys }: BaseContext, server: MailServer, at: Date): string {
  const { host, port, username, password, fromEmail } = server;
  const time = at.toISOString();
  const fields = [host, port, username, password, fromEmail, time];
  return `${time} ${sealFields(keys.integrity, 'smtp_test', fields).toString('base64url')}`;
}

/** When these settings were tested, by a proof; null for one of other settings. */
function provenAt(ctx: BaseContext, server: MailServer, proof: string | undefined): Date | null {
  const at = new Date(proof?.split(' ')[0] ?? Number.NaN);
  return !Number.isNaN(at.getTime()) && proof === proofOf(ctx, server, at) ? at : null;
}

/**
 * An unknown name is accepted, and delivery reports it in the outbox; a forbidden address is refused, with
 * the setting that would allow it. Throws FORBIDDEN_HOST.
 */
async function requireAllowedHost({ config }: BaseContext, entered: EnteredServer): Promise<void> {
  const named = config.smtpAllowedHosts;
  const resolved = await resolveMailHost(entered, named);
  if (resolved.kind !== 'forbidden') return;
  const message = faultReason(resolved.problem);
  throw new AppError('FORBIDDEN_HOST', {
    issues: [{ path: resolved.field, message }],
    message,
    details: { setting: `SMTP_ALLOWED_HOSTS=${[...named, entered.host].join()}` },
  });
}

/**
 * The mail server that was entered, with its password. It must be entered again when host, port or
 * username changes, so that no one can have it sent to their own server (product 8).
 *
 * Throws PASSWORD_NEEDED; CONFIRM_PASSWORD for another host.
 *
 * @param by `null` for the bootstrap from SMTP_URL
 */
function enteredServer(
  ctx: BaseContext,
  by: Pick<AdminSession, 'passwordAt'> | null,
  current: SmtpSettingsRow | undefined,
  { host, port, username, password, fromEmail }: EnteredServer,
  now: Date,
): MailServer {
  if (by && current?.host !== host) requireFreshPassword(by, now);
  const entered = { host, port, username: username ?? '', fromEmail };
  if (username === null) return { ...entered, password: '' };
  return { ...entered, password: password ?? keptPassword(ctx, current, entered) };
}

/**
 * Sets the mail server. The password is sealed at rest. Messages waiting after a failure are retried at
 * once.
 *
 * Throws PASSWORD_NEEDED, FORBIDDEN_HOST, STALE; CONFIRM_PASSWORD for another host, or switching it off.
 */
async function changeSmtpSettings(
  ctx: BaseContext,
  command: Command<'smtp_settings.changed', Actor>,
  input: EnteredServer & { isActive: boolean; proof?: string | undefined },
): Promise<SmtpSettingsRow> {
  await requireAllowedHost(ctx, input);
  return command(async ({ tx, actor, now, record, requireRead, afterCommit }) => {
    const by = actor.kind === 'admin' ? actor : null;
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    requireRead(current ? readableOf(current) : null);
    const server = enteredServer(ctx, by, current, input, now);
    if (by && current?.isActive === true && !input.isActive) requireFreshPassword(by, now);
    // The account may be free again with other settings; a pause did not count against the messages.
    if (current) await endPause(tx, current, now);
    const id = current?.id ?? newId();
    const { password, ...shown } = server;
    const set = {
      ...{ id, ...shown },
      sealedPassword: seal(ctx.keys.sealing, password, passwordContext({ id, ...shown })),
      isActive: input.isActive,
      updatedAt: now,
      testedAt: provenAt(ctx, server, input.proof) ?? stillTestedAt(ctx, current, server),
      ...UNLIMITED,
    };
    // All of it is entered here, so it is genuine whatever was stored before.
    const row = await putSmtpSettings(tx, MAIL_SERVER.sealed(ctx.keys.integrity, set));
    // Messages that failed with the previous settings would wait for up to a quarter of an hour.
    await hastenMessages(tx, now);
    await record('smtp_settings.changed');
    afterCommit(() => ctx.wakeMail());
    return row;
  });
}

/** When the current settings were tested, if the next ones are the same. */
function stillTestedAt(
  ctx: BaseContext,
  current: SmtpSettingsRow | undefined,
  next: MailServer,
): Date | null {
  const before = current && mailServerOf(ctx, current);
  return before && isDeepStrictEqual(before, next) ? current.testedAt : null;
}

/** The stored password, for the server and account that it was entered for. Throws PASSWORD_NEEDED. */
function keptPassword(
  ctx: BaseContext,
  current: SmtpSettingsRow | undefined,
  entered: Omit<MailServer, 'password'>,
): string {
  const same =
    current !== undefined &&
    current.host === entered.host &&
    current.port === entered.port &&
    current.username === entered.username;
  const kept = current && mailServerOf(ctx, current);
  if (same && kept) return kept.password;
  const enter = t(/* of a mail account */ 'server.mailServer.password', 'Enter a password');
  const again = t(/* of a mail account */ 'server.mailServer.again', 'Enter the password again');
  const unreadable = t(
    /* of a mail account */ 'server.mailServer.unreadable',
    'Enter the password again: the stored one cannot be read',
  );
  throw new AppError('PASSWORD_NEEDED', {
    ...(current ? {} : { message: enter }),
    ...(kept === null ? { message: unreadable } : {}),
    issues: [{ path: 'password', message: current ? again : enter }],
  });
}

/** Why `mailServerOf` returned nothing. */
export const whyNoMailServer = ({ keys }: Pick<BaseContext, 'keys'>, row: SmtpSettingsRow) =>
  MAIL_SERVER.isWhole(keys.integrity, row) ? 'password_unreadable' : 'settings_changed';

/** Binds the stored password to its server, account and sender: with another one it cannot be opened. */
const passwordContext = ({
  id,
  host,
  port,
  username,
  fromEmail,
}: Pick<SmtpSettingsRow, 'id' | 'host' | 'port' | 'username' | 'fromEmail'>): string =>
  boundContext('smtp_settings', id, [host, String(port), username, fromEmail]);

/**
 * The stored settings for a delivery attempt, with the password opened; `null` when this SECRET_KEY
 * cannot open it, or when they were changed outside of Invigil.
 */
export function mailServerOf(
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  row: SmtpSettingsRow,
): MailServer | null {
  if (!isGenuine(ctx, MAIL_SERVER, row)) return null;
  const { host, port, username, fromEmail } = row;
  const password = unsealOrNull(ctx.keys.sealing, row.sealedPassword, passwordContext(row));
  return password === null ? null : { host, port, username, password, fromEmail };
}

/** The settings that are entered and can be read. */
const readableOf = ({ host, port, username, fromEmail, isActive }: SmtpSettingsRow) => ({
  ...{ host, port, username, fromEmail, isActive },
});

/** Field by field, and never the password. */
function presentSmtpSettings(row: SmtpSettingsRow): SmtpSettings {
  return {
    id: row.id,
    ...readableOf(row),
    hasPassword: row.username !== '',
    testedAt: row.testedAt?.toISOString() ?? null,
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
  const entered = { host, port, username, password, fromEmail, isActive: true };
  const command = commandOf(ctx.db, { actor: SYSTEM, now: ctx.clock.now() });
  await changeSmtpSettings(ctx, command, entered);
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
