import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';
import { signInFailures } from '../../db/schema.ts';

/** A series of failures is forgotten this long after its last block ended. */
const FORGET_MS = 15 * 60_000;

/** Seconds that this account and address must still wait; 0 when they may try. */
export async function secondsBlocked(db: Queryable, key: Buffer, now: Date): Promise<number> {
  const [row] = await db
    .select({ blockedUntil: signInFailures.blockedUntil })
    .from(signInFailures)
    .where(eq(signInFailures.key, key));
  return row ? Math.max(0, Math.ceil((row.blockedUntil.getTime() - now.getTime()) / 1_000)) : 0;
}

/** Counts a failure; the pair is then blocked for 1, 2, 4 … 30 s. */
export async function countFailure(db: Queryable, key: Buffer, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const forget = sql`${signInFailures.blockedUntil} < ${at} - ${FORGET_MS} * interval '1 millisecond'`;
  const next = sql`case when ${forget} then 1 else least(${signInFailures.failures} + 1, 30) end`;
  const seconds = (failures: ReturnType<typeof sql>) =>
    sql`${at} + least(power(2, ${failures} - 1), ${SESSION_LIMITS.throttleMaxSeconds}) * interval '1 second'`;
  await db
    .insert(signInFailures)
    .values({ key, failures: 1, blockedUntil: new Date(now.getTime() + 1_000) })
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: { failures: next, blockedUntil: seconds(next) },
    });
}

export async function forgetFailures(db: Queryable, key: Buffer): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.key, key));
}

export async function deleteOldFailures(db: Queryable, now: Date): Promise<void> {
  await db
    .delete(signInFailures)
    .where(lt(signInFailures.blockedUntil, new Date(now.getTime() - FORGET_MS)));
}
