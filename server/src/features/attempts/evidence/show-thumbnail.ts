import type { LiveContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { isOwnCurrent } from '../own-attempt.ts';
import { policyFor } from '../present.ts';

/**
 * Shows a thumbnail to the administrators who watch; it is held in memory only, until the next one
 * arrives. Throws NOT_FOUND, SESSION_REPLACED, SENSOR_OFF.
 */
export async function showThumbnail(
  ctx: LiveContext,
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
