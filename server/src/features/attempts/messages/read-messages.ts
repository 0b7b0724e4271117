import type { AppContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { listMessages, type MessageRow } from '../../../db/queries/attempts/messages.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireOwnInProgress } from '../closed.ts';

/**
 * The messages to the candidate of an attempt: for administrators, and for the candidate while it is in
 * progress (I16). Throws NOT_FOUND, ATTEMPT_CLOSED.
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
