import type { Readable } from 'node:stream';
import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { type MessageBody, QUESTION_NUMBER } from '@invigil/core/contract/review/participants';
import { acceptsSaves } from '@invigil/core/domain/attempt';
import { isSetAside } from '@invigil/core/domain/retakes';
import type { z } from 'zod';
import type { AttemptContext, BaseContext, LiveContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import {
  insertMessage,
  listMessages,
  type MessageRow,
} from '../../db/queries/attempts/messages.ts';
import { notifyAttempts, recordAction } from '../../db/queries/attempts/news.ts';
import { getPaper } from '../../db/queries/attempts/papers.ts';
import type { ParticipantSession, Session } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { sealForPerson } from '../../security/person-key.ts';
import type { Write } from '../../sessions/command.ts';
import { openCandidateStream } from '../attempt-news/candidate-stream.ts';
import { answerHelp } from './ask-for-help.ts';
import { isOwnCurrent, lockAttempt, requireAttempt, requireOwnInProgress } from './own-attempt.ts';
import { presentNews, violationCount } from './present.ts';

type NewMessage = z.output<typeof MessageBody>;

/** Sends a message within a bulk action; a candidate who has received it gets no second one. */
export async function sendMessageOnce(
  ctx: BaseContext,
  write: Write<'participant.messaged'>,
  participantId: string,
  message: NewMessage,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { tx, now } = write;
  await lockAttempt(tx, participantId);
  if (!(await recordAction(tx, id, participantId, now))) return;
  await sendMessage(ctx, write, participantId, message, reason);
}

/** Sends a message to a candidate whose attempt is in progress. Throws NOT_FOUND, NOT_RUNNING, NOT_ON_PAPER. */
async function sendMessage(
  ctx: BaseContext,
  { tx, now, record }: Write<'participant.messaged'>,
  participantId: string,
  message: NewMessage,
  reason?: string,
): Promise<MessageRow> {
  const attempt = await lockAttempt(tx, participantId);
  if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw new AppError('NOT_RUNNING');
  const text = await textFor(tx, participantId, message);
  const row = { id: newId(), participantId, text, at: now };
  await insertMessage(tx, row);
  await insertParticipantEvent(tx, { participantId, kind: 'message', at: now });
  if (attempt.helpAt !== null) await answerHelp(tx, participantId, now);
  const why = reason && { reason: await sealForPerson(tx, ctx, attempt.userId, reason) };
  const details = { message: row.id, ...(why || {}) };
  await record('participant.messaged', ['participant', participantId], details);
  await notifyAttempts(tx, [participantId]);
  return row;
}

/** Papers have their questions in random order: each reads its own number. */
async function textFor(tx: Tx, participantId: string, message: NewMessage): Promise<string> {
  const { text, questionId } = message;
  if (questionId === undefined) return text;
  const paper = await getPaper(tx, participantId);
  const index = paper.findIndex((one) => one.questionId === questionId);
  if (index === -1) throw new AppError('NOT_ON_PAPER');
  return text.replaceAll(QUESTION_NUMBER, String(index + 1));
}

/**
 * The messages to the candidate of an attempt: for administrators, and for the candidate while it is in
 * progress (I16). Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
async function readMessages(
  ctx: BaseContext,
  session: Session,
  participantId: string,
  now: Date,
): Promise<MessageRow[]> {
  const attempt = await requireAttempt(ctx.db, participantId);
  if (session.kind === 'participant') requireOwnInProgress(session, attempt, now);
  return listMessages(ctx.db, participantId);
}

export function presentMessage(row: MessageRow): Message {
  return { id: row.id, text: row.text, at: row.at.toISOString() };
}

export function messageHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async listMessages({ params, session, now }) {
      return (await readMessages(ctx, session, params.id, now)).map(presentMessage);
    },
    async sendMessage({ params, body, command }) {
      return presentMessage(await command((write) => sendMessage(ctx, write, params.id, body)));
    },
    streamParticipant: ({ params, session }) => streamParticipant(ctx, session, params.id),
  } satisfies Handlers;
}

/**
 * The event stream of an attempt: its state now, and again after each change. It ends with the attempt,
 * or when another session has taken the attempt over.
 *
 * Throws NOT_FOUND, SESSION_REPLACED.
 */
async function streamParticipant(
  ctx: AttemptContext & LiveContext,
  session: ParticipantSession,
  participantId: string,
): Promise<Readable> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
  if (!holds(attempt, session)) throw new AppError('SESSION_REPLACED');

  return openCandidateStream(ctx, session.id, participantId, async (stream) => {
    const now = await findParticipant(ctx.db, participantId);
    if (!now) return;
    if (!holds(now, session)) return stream.end();
    const watched = ctx.thumbnails.isWatched(participantId);
    const state = { ...now, violationCount: violationCount(now), watched };
    stream.send('news', presentNews(state, ctx.clock.now()));
    if (now.status !== 'in_progress') stream.end();
  });
}

/** An ended attempt keeps the session that held it last. */
function holds(attempt: ParticipantView, session: ParticipantSession): boolean {
  return attempt.sessionId === session.id && !isSetAside(attempt);
}
