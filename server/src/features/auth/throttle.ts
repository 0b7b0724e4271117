import { AppError } from '../../app-error.ts';
import type { Queryable } from '../../db/database.ts';
import { secondsBlocked, takeTurn } from './throttle-queries.ts';

/** Refuses whoever must still wait after wrong passwords, and says how long. Throws THROTTLED. */
export async function requireUnblocked(db: Queryable, key: Buffer, now: Date): Promise<void> {
  const seconds = await secondsBlocked(db, key, now);
  if (seconds > 0) throw throttled(seconds);
}

/**
 * Counts a failure before anything is looked at, for what is judged too quickly to be queued: of many
 * guesses at once one has a turn. Whoever was right forgets the failures. Throws THROTTLED.
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
