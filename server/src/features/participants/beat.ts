import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { requireLive } from '../auth/require-live.ts';
import { findSessionEnd, type ParticipantSession } from '../auth/session-queries.ts';
import { presentNews } from './present.ts';
import { findCurrentParticipant } from './queries.ts';

/**
 * Notes that the candidate is there and answers with the time left; an ended attempt tells its end.
 * Throws NOT_FOUND, SESSION_REPLACED, NOT_SIGNED_IN.
 */
export async function beat(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  isMonitored: boolean,
  now: Date,
) {
  const sessionId = session.id;
  const found = await ctx.heartbeats.beat({ participantId, sessionId, isMonitored, now });
  if (!found) throw await whyNotHeld(ctx, session, participantId, now);
  // An ended attempt keeps the session that held it last, also when that has been signed out since.
  if (found.status !== 'in_progress') await requireLive(ctx.db, session.id, now);
  return presentNews({ ...found, watched: ctx.thumbnails.isWatched(participantId) }, now);
}

async function whyNotHeld(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  now: Date,
): Promise<AppError> {
  const own = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (own?.id !== participantId) return new AppError('NOT_FOUND');
  const end = await findSessionEnd(ctx.db, session.id, now);
  return new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
}
