import type { Queryable } from '../../../db/database.ts';
import { type Budget, secondsBlocked, takeTries, takeTurn } from '../../../db/queries/throttle.ts';
import { AppError } from '../../../runtime/app-error.ts';

/** Refuses a try that must still wait after wrong ones, and says how long. Throws THROTTLED. */
export async function requireUnblocked(
  db: Queryable,
  key: Buffer,
  now: Date,
  budgets: readonly Budget[] = [],
): Promise<void> {
  const seconds = await secondsBlocked(db, key, now, budgets);
  if (seconds > 0) throw throttled(seconds);
}

/**
 * Takes a try from each budget before it is made. Throws THROTTLED.
 *
 * @param key whose own failures must not block it either; `null`: it has none
 */
export async function requireTries(
  db: Queryable,
  key: Buffer | null,
  budgets: readonly Budget[],
  now: Date,
): Promise<void> {
  if (key !== null && budgets.length === 0) return requireUnblocked(db, key, now);
  if (await takeTries(db, key, budgets, now)) return;
  throw throttled(Math.max(1, await secondsBlocked(db, key, now, budgets)));
}

/**
 * Counts a failure before anything is looked at, for what is judged too quickly to be queued: of many
 * guesses at once one has a turn. Anyone who was right forgets the failures. Throws THROTTLED.
 *
 * @param maxSeconds how long the wait may grow
 */
export async function requireTurn(
  db: Queryable,
  key: Buffer,
  now: Date,
  maxSeconds: number,
): Promise<void> {
  if (await takeTurn(db, key, now, maxSeconds)) return;
  throw throttled(Math.max(1, await secondsBlocked(db, key, now)));
}

function throttled(seconds: number): AppError {
  const unit = seconds === 1 ? 'second' : 'seconds';
  return new AppError('THROTTLED', {
    message: `Too many wrong attempts. Try again in ${seconds} ${unit}`,
    retryAfterSeconds: seconds,
    details: { seconds },
  });
}
