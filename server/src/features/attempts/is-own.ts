import type { ParticipantSession } from '../../db/queries/sessions.ts';

interface Owned {
  userId: string;
  quizId: string;
}

/**
 * Whether an attempt, or its paper, belongs to the session: same person, same assessment (I23). Everyone
 * else gets NOT_FOUND.
 */
export function isOwn<T extends Owned>(
  session: ParticipantSession,
  attempt: T | undefined,
): attempt is T {
  return attempt?.userId === session.userId && attempt.quizId === session.quizId;
}

/** Whether an attempt is the session's and has not been replaced by another. */
export function isOwnCurrent<T extends Owned & { replacedAt: Date | null }>(
  session: ParticipantSession,
  attempt: T | undefined,
): attempt is T {
  return isOwn(session, attempt) && attempt.replacedAt === null;
}
