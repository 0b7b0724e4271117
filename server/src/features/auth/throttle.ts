import { AppError } from '../../app-error.ts';
import type { Queryable } from '../../db/database.ts';
import { secondsBlocked } from './throttle-queries.ts';

/** Refuses whoever must still wait after wrong passwords, and says how long. Throws THROTTLED. */
export async function requireUnblocked(db: Queryable, key: Buffer, now: Date): Promise<void> {
  const seconds = await secondsBlocked(db, key, now);
  if (seconds === 0) return;
  const unit = seconds === 1 ? 'second' : 'seconds';
  throw new AppError('THROTTLED', {
    message: `Too many wrong attempts. Try again in ${seconds} ${unit}`,
    retryAfterSeconds: seconds,
    details: { seconds },
  });
}
