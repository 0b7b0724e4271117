import type { Queryable } from '../../../db/database.ts';
import {
  type Budget,
  reserveTries,
  reserveTry,
  secondsBlocked,
} from '../../../db/queries/throttle.ts';
import { AppError } from '../../../runtime/app-error.ts';

/** Refuses a try that must still wait after wrong ones, with the seconds left. Throws THROTTLED. */
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
 * Takes a try from each budget beforehand. Throws THROTTLED.
 *
 * @param key whose own failures must not block it either; `null`: none
 */
export async function requireTries(
  db: Queryable,
  key: Buffer | null,
  budgets: readonly Budget[],
  now: Date,
): Promise<void> {
  if (key !== null && budgets.length === 0) return requireUnblocked(db, key, now);
  if (await reserveTries(db, key, budgets, now)) return;
  throw throttled(Math.max(1, await secondsBlocked(db, key, now, budgets)));
}

/**
 * Counts a failure in advance, for checks that are too quick to be queued, so that one of many concurrent
 * guesses is evaluated. A right guess clears the failures. Throws THROTTLED.
 *
 * @param maxSeconds the longest wait
 */
export async function requireReservedTry(
  db: Queryable,
  key: Buffer,
  now: Date,
  maxSeconds: number,
): Promise<void> {
  if (await reserveTry(db, key, now, maxSeconds)) return;
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
