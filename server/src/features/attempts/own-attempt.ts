import { acceptsSaves, endOf } from '@invigil/core/domain/attempt';
import { isSetAside } from '@invigil/core/domain/retakes';
import type { Queryable, Tx } from '../../db/database.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { lockAttemptsOf, lockParticipant } from '../../db/queries/attempts/locks.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { AppError } from '../../runtime/app-error.ts';

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

/** Whether an attempt is the session's and no administrator has set it aside. */
export function isOwnCurrent<T extends Owned & { replacedHow: string | null }>(
  session: ParticipantSession,
  attempt: T | undefined,
): attempt is T {
  return isOwn(session, attempt) && !isSetAside(attempt);
}

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

/** Any attempt. Throws NOT_FOUND. */
export async function requireAttempt(db: Queryable, id: string): Promise<ParticipantView> {
  const attempt = await findParticipant(db, id);
  if (!attempt) throw new AppError('NOT_FOUND');
  return attempt;
}

/** Locks an attempt and reads it. Throws NOT_FOUND. */
export async function lockAttempt(tx: Tx, id: string): Promise<ParticipantView> {
  await lockParticipant(tx, id);
  return requireAttempt(tx, id);
}

/** Locks an attempt and all others of its person, oldest first. Throws NOT_FOUND. */
export async function lockWithOthers(
  tx: Tx,
  id: string,
): Promise<{ attempt: ParticipantView; all: ParticipantView[] }> {
  const all = await lockAttemptsOf(tx, [await requireAttempt(tx, id)]);
  const attempt = all.find((one) => one.id === id);
  if (!attempt) throw new AppError('NOT_FOUND');
  return { attempt, all };
}

/** The same of the session. Throws NOT_FOUND for another's and for a replaced one. */
export async function lockOwn(
  tx: Tx,
  session: ParticipantSession,
  id: string,
): Promise<ParticipantView> {
  const attempt = await lockAttempt(tx, id);
  if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
  return attempt;
}
