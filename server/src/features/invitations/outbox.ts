import { type MailProblems, OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import {
  faultAdvice,
  faultText,
  isCanceledMail,
  type MailProblemCode,
  mailProblemText,
  problemText,
} from '@invigil/core/texts/mail-problems';
import type { AttemptContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { listWatchers } from '../../db/queries/admins.ts';
import { findParticipant } from '../../db/queries/attempts/attempts.ts';
import { findAdminByEmail } from '../../db/queries/codes.ts';
import {
  countWaiting,
  findMessage,
  hastenMessages,
  type OutboxRow,
  pageOutbox,
  readProblems,
} from '../../db/queries/outbox.ts';
import { listPlaces } from '../../db/queries/places.ts';
import { hastenProbe } from '../../db/queries/sending-pace.ts';
import { findSmtpSettings, wasMailEverConfigured } from '../../db/queries/smtp-settings.ts';
import { type RenderedMessage, renderMail } from '../../deliveries/mails/mail.ts';
import { messageRevealed } from '../../deliveries/mails/message-revealed.ts';
import { receipt } from '../../deliveries/mails/receipt.ts';
import { mailOf, SUBJECTS, storedRecipient, storedSubject } from '../../deliveries/mails.ts';
import { queueMail, toAdmin } from '../../deliveries/queue-mail.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import { unsealOrNull } from '../../security/sealing.ts';
import { readInstitution } from '../../trust/institution.ts';
import { isGenuine, MESSAGES, requireGenuine } from '../../trust/row-kinds.ts';
import { endingOf } from '../attempts/describe-end.ts';
import { requireReceipt } from '../attempts/receipts.ts';
import { genuineAdmin, requirePassword } from '../sign-in/check-password.ts';
import { withCurrentTimes } from './current-times.ts';

async function openWaiting(ctx: AttemptContext, id: string, now: Date) {
  const row = await findMessage(ctx.db, id);
  if (!row) throw new AppError('NOT_FOUND');
  // With the link an administrator could set another one's password.
  if (mailOf(row).secret === 'link') throw new AppError('MESSAGE_SEALED');
  requireGenuine(ctx, MESSAGES, row);
  const message = await openMessage(ctx, await withCurrentTimes(ctx, row, now));
  if (!message)
    throw new AppError('MESSAGE_GONE', { message: problemText({ code: whyGone(row) }) });
  // A test invitation is nobody's.
  const [place = {}] =
    row.invitationId === null ? [] : await listPlaces(ctx.db, 'invitation', [row.invitationId]);
  return { id: row.id, recipient: row.recipient, ...message, place };
}

/** Renders a message as it is sent, or `undefined` once its data is gone. Throws CHANGED_OUTSIDE. */
export async function openMessage(
  ctx: Pick<AttemptContext, 'db' | 'keys' | 'papers' | 'trust'>,
  row: OutboxRow,
): Promise<RenderedMessage | undefined> {
  if (row.kind === receipt.kind) {
    const attempt = row.participantId && (await findParticipant(ctx.db, row.participantId));
    if (!attempt) return undefined;
    const signed = await requireReceipt(ctx, attempt);
    const ending = await endingOf(ctx, attempt);
    return renderMail(receipt, row.variables, { ...signed, ending });
  }
  const mail = mailOf(row);
  if (mail.secret === null) return renderMail(mail, row.variables, undefined);
  if (row.sealedCode === null) return undefined;
  const secret = unsealOrNull(ctx.keys.sealing, row.sealedCode, `outbox/${row.id}`);
  return secret === null ? undefined : renderMail(mail, row.variables, secret);
}

/**
 * Why a message must not be sent, or `null`: it was changed outside of Invigil; or it has a link to set the
 * password of someone whose address is no longer its recipient.
 */
export async function whyNotSent(
  ctx: Pick<AttemptContext, 'db' | 'keys' | 'trust'>,
  row: OutboxRow,
): Promise<MailProblemCode | null> {
  if (!isGenuine(ctx, MESSAGES, row)) return 'message_changed';
  if (mailOf(row).secret !== 'link') return null;
  const found = await findAdminByEmail(ctx.db, row.recipient);
  const isTheirs = genuineAdmin(ctx, found)?.email === row.recipient;
  return isTheirs ? null : 'not_administrator';
}

/** Why `openMessage` returned nothing. */
export const whyGone = ({ sealedCode }: OutboxRow): MailProblemCode =>
  sealedCode === null ? 'content_gone' : 'secret_unreadable';

/** Why the whole queue waits, if it does and there is something in it. */
async function readPause(db: Queryable): Promise<MailProblems['paused']> {
  const settings = await findSmtpSettings(db);
  if (!settings?.isActive || settings.pausedAt === null || settings.fault === null)
    return undefined;
  const waiting = await countWaiting(db);
  if (waiting === 0) return undefined;
  return {
    since: settings.pausedAt.toISOString(),
    nextTryAt: (settings.nextSendAt ?? settings.pausedAt).toISOString(),
    waiting,
    reason: faultText(settings.fault, settings.faultText),
    advice: faultAdvice(settings.fault),
  };
}

export function outboxHandlers(ctx: AttemptContext) {
  return {
    async listOutbox({ query }) {
      const { limit, offset, ...filter } = query;
      const { rows, total } = await pageOutbox(ctx.db, { limit, offset }, filter, SUBJECTS);
      return new Reply(200, rows.map(presentOutboxMessage), { 'x-total-count': String(total) });
    },
    /** The message that will be sent, if no mail server was ever configured. */
    async readOutboxMessage({ params: { id }, command, now }) {
      if (await wasMailEverConfigured(ctx.db)) throw new AppError('MESSAGE_SEALED');
      const { place: _, ...message } = await openWaiting(ctx, id, now);
      await command(({ record }) => record('outbox.message_read', ['outbox_message', id]));
      return message;
    },
    /**
     * The same even after a mail server was configured (product 11). Mailed to the others whose business it is:
     * no one reads a candidate's code unnoticed.
     */
    async revealOutboxMessage({ params: { id }, body, session, command, now }) {
      await requirePassword(ctx, session, body.currentPassword, now);
      const { place, ...message } = await openWaiting(ctx, id, now);
      await command(async ({ tx, actor, record, afterCommit }) => {
        await record('outbox.message_revealed', ['outbox_message', id]);
        const institution = await readInstitution(ctx, tx);
        const { publicUrl, timeZone } = institution;
        const at = now.toISOString();
        const params = { by: session.email, messageId: id, at, publicUrl, timeZone };
        const watchers = await listWatchers(tx, actor.id, place);
        const messages = watchers.map((admin) => ({ ...toAdmin(admin, institution), params }));
        await queueMail(tx, ctx, publicUrl, messageRevealed, messages, now);
        afterCommit(() => ctx.wakeMail());
      });
      return message;
    },
    /** Makes it due, so that it is tried early. One being sent is not changed. */
    sendOutboxMessage: ({ params: { id }, command }) =>
      command(async ({ tx, now, record, afterCommit }) => {
        const settings = await findSmtpSettings(tx);
        const row = await findMessage(tx, id);
        if (!row) throw new AppError('NOT_FOUND');
        if (row.state === 'sent' || row.state === 'failed') {
          throw new AppError('MESSAGE_NOT_WAITING');
        }
        if (!settings?.isActive) throw new AppError('SMTP_NOT_CONFIGURED');
        // Someone who asks may know that the provider lifted its limit: a pause ends with a try.
        await hastenProbe(tx, now);
        await hastenMessages(tx, now, id);
        await record('outbox.message_hastened', ['outbox_message', id]);
        afterCommit(() => ctx.wakeMail());
        return presentOutboxMessage((await findMessage(tx, id)) ?? row);
      }),
    async getMailProblems({ now }) {
      const [problems, paused] = [await readProblems(ctx.db, now), await readPause(ctx.db)];
      return paused ? { ...problems, paused } : problems;
    },
  } satisfies Handlers;
}

/** Leaves out the message's content. */
function presentOutboxMessage(row: OutboxRow): OutboxMessage {
  return {
    id: row.id,
    recipient: storedRecipient(row),
    subject: storedSubject(row),
    state: OutboxMessage.shape.state.parse(row.state),
    attempts: row.attempts,
    lastError: mailProblemText(row.state, row.lastError, row.lastReply),
    ...(isCanceledMail(row.state, row.lastError) ? { isCanceled: true } : {}),
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}
