import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Session } from '../auth/session-queries.ts';
import { requireOwnInProgress } from '../participants/closed.ts';
import { findParticipant } from '../participants/queries.ts';
import { listMessages, type MessageRow } from './queries.ts';

/**
 * What was said to the candidate of an attempt: for administrators, and for the candidate while it is
 * in progress (I16). Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
export async function readMessages(
  ctx: AppContext,
  session: Session,
  participantId: string,
  now: Date,
): Promise<MessageRow[]> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!attempt) throw new AppError('NOT_FOUND');
  if (session.kind === 'participant') requireOwnInProgress(session, attempt, now);
  return listMessages(ctx.db, participantId);
}
