import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import { type Queryable, runNamed } from '../database.ts';
import { deleteInPortions } from '../portions.ts';
import { signInFailures } from '../schema/sessions.ts';

/** A series of failures is forgotten this long after its last block ended. */
const FORGET_MS = 15 * 60_000;

/**
 * A token bucket in one moment (the generic cell rate algorithm): `blockedUntil` is when the bucket is
 * full again. Each try moves it on by `everyMs`; it may lie `burst` tries ahead.
 */
export interface Budget {
  key: Buffer;
  burst: number;
  everyMs: number;
}

const leadMs = ({ burst, everyMs }: Budget) => (burst - 1) * everyMs;

/** Seconds that a try must still wait; 0 when it is allowed. */
export async function secondsBlocked(
  db: Queryable,
  key: Buffer | null,
  now: Date,
  budgets: readonly Budget[] = [],
): Promise<number> {
  const leads = new Map(budgets.map((budget) => [budget.key.toString('hex'), leadMs(budget)]));
  const rows = await db
    .select({ key: signInFailures.key, blockedUntil: signInFailures.blockedUntil })
    .from(signInFailures)
    .where(
      inArray(signInFailures.key, [
        ...(key === null ? [] : [key]),
        ...budgets.map((budget) => budget.key),
      ]),
    );
  const waits = rows.map((row) => {
    const lead = leads.get(row.key.toString('hex')) ?? 0;
    return row.blockedUntil.getTime() - lead - now.getTime();
  });
  return Math.max(0, ...waits.map((ms) => Math.ceil(ms / 1_000)));
}

/*
 * Takes a try from each budget in one statement, or none while any of the keys must still wait. While a
 * row is being inserted, `failures` carries its budget's burst and `blocked_until` its `everyMs`: nothing
 * else of the new row is readable on a conflict.
 */
const TAKE_TRIES_SQL = `
with asked as (
  select * from unnest($2::bytea[], $3::int[], $4::int[]) as a(key, burst, every_ms)
), refused as (
  select from asked a join sign_in_failures f on f.key = a.key
  where f.blocked_until > $1::timestamptz + (a.burst - 1) * a.every_ms * interval '1 millisecond'
)
insert into sign_in_failures as f (key, failures, blocked_until)
select a.key, a.burst, $1::timestamptz + a.every_ms * interval '1 millisecond'
from asked a where a.every_ms > 0 and not exists (select from refused)
on conflict (key) do update
set blocked_until = greatest(f.blocked_until, $1::timestamptz)
  + (excluded.blocked_until - $1::timestamptz)
where f.blocked_until <= $1::timestamptz
  + (excluded.failures - 1) * (excluded.blocked_until - $1::timestamptz)
returning 1 as taken`;

/** Takes a try from every budget; false when one is used up, or the key must still wait. */
export async function reserveTries(
  db: Queryable,
  key: Buffer | null,
  budgets: readonly Budget[],
  now: Date,
): Promise<boolean> {
  const asked = [...(key === null ? [] : [{ key, burst: 1, everyMs: 0 }]), ...budgets];
  const taken = await runNamed(db, {
    name: 'take-tries',
    text: TAKE_TRIES_SQL,
    values: [
      now.toISOString(),
      asked.map((one) => one.key),
      asked.map((one) => one.burst),
      asked.map((one) => one.everyMs),
    ],
  });
  return taken.length === budgets.length;
}

/** Returns the tries of a right password. */
export async function returnTries(db: Queryable, budgets: readonly Budget[]): Promise<void> {
  await runNamed(db, {
    name: 'give-tries-back',
    text: `update sign_in_failures f
      set blocked_until = f.blocked_until - b.every_ms * interval '1 millisecond'
      from unnest($1::bytea[], $2::int[]) as b(key, every_ms) where f.key = b.key`,
    values: [budgets.map((one) => one.key), budgets.map((one) => one.everyMs)],
  });
}

/** Counts a failure; the pair is then blocked for 1, 2, 4 … 30 s. */
export async function countFailure(db: Queryable, key: Buffer, now: Date): Promise<void> {
  await upsertFailure(db, key, now, SESSION_LIMITS.throttleMaxSeconds);
}

/** Counts a failure in advance; false while there is still something to wait for. */
export async function reserveTry(
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

export async function clearFailures(db: Queryable, key: Buffer): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.key, key));
}

export async function deleteOldFailures(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FORGET_MS);
  await deleteInPortions(db, signInFailures, lt(signInFailures.blockedUntil, before));
}
