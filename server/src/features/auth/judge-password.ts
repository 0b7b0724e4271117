import type { Queryable } from '../../db/database.ts';
import { verifyInTurn } from '../../security/passwords.ts';
import { requireUnblocked } from './throttle.ts';
import { countFailure } from './throttle-queries.ts';

/**
 * Whether a password is right, with the throttle before and around it. The throttle is asked again
 * when the turn to hash comes: of a thousand guesses sent at once, those that waited while the first
 * one failed are refused unlooked at. Right ones do not hold each other up.
 *
 * Throws THROTTLED, UNAVAILABLE.
 *
 * @param stored the hash, `null` for an unknown account, which takes as long
 */
export async function judgePassword(
  db: Queryable,
  key: Buffer,
  stored: string | null,
  password: string,
  now: Date,
): Promise<boolean> {
  await requireUnblocked(db, key, now);
  return verifyInTurn(stored, password, async (isRight) => {
    await requireUnblocked(db, key, now);
    if (await isRight()) return true;
    await countFailure(db, key, now);
    return false;
  });
}
