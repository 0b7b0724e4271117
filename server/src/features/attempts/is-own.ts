import type { ParticipantSession } from '../../db/queries/sessions.ts';

interface Owned {
  userId: string;
  quizId: string;
}

/**
 * Whether an attempt, or the paper of one, is the session's: the same person at the same assessment
 * (I23). Everybody else is told that there is none.
 */
export function isOwn<T extends Owned>(
  session: ParticipantSession,
  attempt: T | undefined,
): attempt is T {
  return attempt?.userId === session.userId && attempt.quizId === session.quizId;
}

/** Whether an attempt is the session's and is no earlier one, in whose place another stands. */
export function isOwnCurrent<T extends Owned & { replacedAt: Date | null }>(
  session: ParticipantSession,
  attempt: T | undefined,
): attempt is T {
  return isOwn(session, attempt) && attempt.replacedAt === null;
}
