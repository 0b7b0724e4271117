import type { Readable } from 'node:stream';
import type { AttemptContext, LiveContext } from '../../../app-context.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { EventStream } from '../../attempt-news/event-stream.ts';
import { isOwn } from '../own-attempt.ts';
import { presentNews, violationCount } from '../present.ts';
import { presentMessage, readMessages, sendMessage } from './send-message.ts';

export function messageHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async listMessages({ params, session, now }) {
      const messages = await readMessages(ctx, session, params.id, now);
      return { status: 200, body: messages.map(presentMessage) };
    },
    async sendMessage({ params, body, session, now }) {
      const row = await sendMessage(ctx, params.id, body.text, { adminId: session.adminId, now });
      return { status: 201, body: presentMessage(row) };
    },
    async streamParticipant({ params, session }) {
      const body = await streamParticipant(ctx, session, params.id);
      return { status: 200, body };
    },
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
  if (!isOwn(session, attempt)) throw new AppError('NOT_FOUND');
  if (!holds(attempt, session)) throw new AppError('SESSION_REPLACED');

  const stream = new EventStream(() => {
    unsubscribe();
    ctx.openStreams.delete(session.id, stream);
  });
  let reading: Promise<void> = Promise.resolve();
  const sendNext = () => {
    // One read after the other, so that states are sent in order.
    reading = reading.then(sendState, sendState);
  };
  const sendState = async () => {
    if (!stream.isOpen) return;
    const now = await findParticipant(ctx.db, participantId).catch(() => undefined);
    if (!now) return;
    if (!holds(now, session)) return stream.end();
    const watched = ctx.thumbnails.isWatched(participantId);
    const state = { ...now, violationCount: violationCount(now), watched };
    stream.send('news', presentNews(state, ctx.clock.now()));
    if (now.status !== 'in_progress') stream.end();
  };
  const unsubscribe = await ctx.attemptNews.subscribe(participantId, sendNext);
  ctx.openStreams.add(session.id, stream);
  sendNext();
  return stream.body;
}

/** An ended attempt keeps the session that held it last. */
function holds(attempt: ParticipantView, session: ParticipantSession): boolean {
  return attempt.sessionId === session.id && attempt.replacedAt === null;
}
