import { acceptsSaves, endOf } from '@invigil/core/domain/attempt';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { AppError } from '../../runtime/app-error.ts';
import { isOwnCurrent } from './is-own.ts';

/** The error for an attempt that accepts nothing more, also when it is due and not closed yet. */
export function closed(attempt: ParticipantView): AppError {
  const isDue = attempt.status === 'in_progress';
  const end = isDue ? endOf(attempt, attempt.closeReason, attempt.closeAt) : attempt;
  const { status, submissionType } = end;
  return new AppError('ATTEMPT_CLOSED', { details: { status, submissionType } });
}

/**
 * Only the candidate of an attempt continues, and only while it is in progress: after the end only the
 * summary can be read (I16). Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
export function requireOwnInProgress(
  session: ParticipantSession,
  attempt: ParticipantView,
  now: Date,
): void {
  if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
  if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
}
