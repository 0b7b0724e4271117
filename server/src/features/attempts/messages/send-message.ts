import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { acceptsSaves } from '@invigil/core/domain/attempt';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { insertParticipantEvent } from '../../../db/queries/attempts/events.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import {
  insertMessage,
  listMessages,
  type MessageRow,
} from '../../../db/queries/attempts/messages.ts';
import { notifyAttempts, recordAction } from '../../../db/queries/attempts/news.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { sealForPerson } from '../../../security/person-key.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { requireOwnInProgress } from '../own-attempt.ts';

/** Who sends it, and why where a reason is required. */
interface Sending {
  adminId: string;
  now: Date;
  reason?: string;
}

/** Sends a message to a candidate whose attempt is in progress. Throws NOT_FOUND, NOT_RUNNING. */
export function sendMessage(
  ctx: BaseContext,
  participantId: string,
  text: string,
  sending: Sending,
): Promise<MessageRow> {
  return inTransaction(ctx.db, (tx) => send(ctx, tx, participantId, text, sending));
}

/** The same within a bulk action; a candidate who has received it gets no second one. */
export function sendMessageOnce(
  ctx: BaseContext,
  participantId: string,
  text: string,
  sending: Sending & { id: string },
): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    if (!(await findParticipant(tx, participantId))) throw new AppError('NOT_FOUND');
    if (!(await recordAction(tx, sending.id, participantId, sending.now))) return;
    await send(ctx, tx, participantId, text, sending);
  });
}

async function send(
  ctx: BaseContext,
  tx: Tx,
  participantId: string,
  text: string,
  { adminId, now, reason }: Sending,
): Promise<MessageRow> {
  await lockParticipant(tx, participantId);
  const attempt = await findParticipant(tx, participantId);
  if (!attempt) throw new AppError('NOT_FOUND');
  if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw new AppError('NOT_RUNNING');
  const row = { id: newId(), participantId, text, at: now };
  await insertMessage(tx, row);
  await insertParticipantEvent(tx, { participantId, kind: 'message', at: now });
  const why = reason && { reason: await sealForPerson(tx, ctx, attempt.userId, reason) };
  await recordAudit(tx, {
    adminId,
    action: 'participant.messaged',
    subject: { type: 'participant', id: participantId },
    details: { message: row.id, ...(why || {}) },
    at: now,
  });
  await notifyAttempts(tx, [participantId]);
  return row;
}

/**
 * The messages to the candidate of an attempt: for administrators, and for the candidate while it is in
 * progress (I16). Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
export async function readMessages(
  ctx: BaseContext,
  session: Session,
  participantId: string,
  now: Date,
): Promise<MessageRow[]> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!attempt) throw new AppError('NOT_FOUND');
  if (session.kind === 'participant') requireOwnInProgress(session, attempt, now);
  return listMessages(ctx.db, participantId);
}

export function presentMessage(row: MessageRow): Message {
  return { id: row.id, text: row.text, at: row.at.toISOString() };
}
