import { Readable } from 'node:stream';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { ParticipantSession } from '../auth/session-queries.ts';
import { presentNews, violationCount } from '../participants/present.ts';
import { findParticipant, type ParticipantView } from '../participants/queries.ts';

/** Keeps proxies from taking the silence for a dead line, and finds out lines that are dead. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The event stream of an attempt: how it stands now, and again after each change. It ends with the
 * attempt, or when another session has taken the attempt over.
 *
 * Throws NOT_FOUND, SESSION_REPLACED.
 */
export async function streamParticipant(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
): Promise<Readable> {
  const attempt = await findParticipant(ctx.db, participantId);
  const isOwn = attempt?.userId === session.userId && attempt.quizId === session.quizId;
  if (!isOwn) throw new AppError('NOT_FOUND');
  if (!holds(attempt, session)) throw new AppError('SESSION_REPLACED');

  const stream = new Readable({ read: () => undefined });
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    // One look after the other: news is told in the order in which it came about.
    looking = looking.then(tell, tell);
  };
  const tell = async () => {
    const now = await findParticipant(ctx.db, participantId).catch(() => undefined);
    if (!now || stream.destroyed) return;
    if (!holds(now, session)) {
      stream.push(null);
      return;
    }
    const news = presentNews({ ...now, violationCount: violationCount(now) }, ctx.clock.now());
    stream.push(`event: news\ndata: ${JSON.stringify(news)}\n\n`);
    if (now.status !== 'in_progress') stream.push(null);
  };
  const unsubscribe = await ctx.attemptNews.subscribe(participantId, look);
  const keepAlive = setInterval(() => stream.push(':\n\n'), KEEP_ALIVE_MS);
  keepAlive.unref();
  stream.once('close', () => {
    clearInterval(keepAlive);
    unsubscribe();
    ctx.openStreams.delete(stream);
  });
  ctx.openStreams.add(stream);
  look();
  return stream;
}

/** An ended attempt keeps the session that held it last. */
function holds(attempt: ParticipantView, session: ParticipantSession): boolean {
  return attempt.sessionId === session.id && attempt.replacedAt === null;
}
