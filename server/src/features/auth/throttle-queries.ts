import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';
import { deleteInPortions } from '../../db/delete-in-portions.ts';
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
  await upsertFailure(db, key, now, SESSION_LIMITS.throttleMaxSeconds);
}

/** Counts a failure in advance, unless there is still something to wait for: then false. */
export async function takeTurn(
  db: Queryable,
  key: Buffer,
  now: Date,
  maxSeconds: number,
): Promise<boolean> {
  const free = sql`${signInFailures.blockedUntil} <= ${now.toISOString()}::timestamptz`;
  return (await upsertFailure(db, key, now, maxSeconds, free)).length === 1;
}

function upsertFailure(
  db: Queryable,
  key: Buffer,
  now: Date,
  maxSeconds: number,
  where?: ReturnType<typeof sql>,
) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const forget = sql`${signInFailures.blockedUntil} < ${at} - ${FORGET_MS} * interval '1 millisecond'`;
  const next = sql`case when ${forget} then 1 else least(${signInFailures.failures} + 1, 30) end`;
  return db
    .insert(signInFailures)
    .values({ key, failures: 1, blockedUntil: new Date(now.getTime() + 1_000) })
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: {
        failures: next,
        blockedUntil: sql`${at} + least(power(2, ${next} - 1), ${maxSeconds}) * interval '1 second'`,
      },
      ...(where === undefined ? {} : { setWhere: where }),
    })
    .returning({ failures: signInFailures.failures });
}

export async function forgetFailures(db: Queryable, key: Buffer): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.key, key));
}

export async function deleteOldFailures(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FORGET_MS);
  await deleteInPortions(db, signInFailures, lt(signInFailures.blockedUntil, before));
}
