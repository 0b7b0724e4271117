import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { ParticipantSession } from '../auth/session-queries.ts';
import { isOwnCurrent } from '../participants/is-own.ts';
import { policyFor } from '../participants/present.ts';
import { findParticipant } from '../participants/queries.ts';

/**
 * Shows a thumbnail to the administrators who watch; it is kept in memory until the next one comes
 * and nowhere else. Throws NOT_FOUND, SESSION_REPLACED, SENSOR_OFF.
 */
export async function showThumbnail(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  jpeg: Buffer,
  now: Date,
): Promise<{ watched: boolean }> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
  if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
  if (!policyFor(attempt).camera) throw new AppError('SENSOR_OFF');
  if (attempt.status !== 'in_progress') return { watched: false };
  return { watched: ctx.thumbnails.show(participantId, jpeg, now) };
}
