import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { openClient, WITHOUT_TIME_LIMITS } from './connection/pool.ts';
import type { Tx } from './database.ts';

/**
 * Lock ids of what only one process at a time does; arbitrary, but unique in the database. A transaction that
 * takes several takes them in this order: two that wait for each other would be a deadlock.
 */
export const LOCKS = {
  migration: 7_302_118,
  leader: 7_302_119,
  firstSetUp: 7_302_120,
  secretKey: 7_302_122,
  settings: 7_302_126,
  questionImport: 7_302_124,
  questionPool: 7_302_123,
  personFields: 7_302_125,
  sealing: 7_302_121,
} as const;

export type LockName = keyof typeof LOCKS;

/**
 * Does `work` while this process alone holds the lock, waiting without a limit: the holder may be
 * changing a large table. The lock's connection is its own, and the database releases the lock when it
 * ends.
 */
export async function holdingLock<T>(
  pool: pg.Pool,
  lock: LockName,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = openClient(pool, WITHOUT_TIME_LIMITS);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCKS[lock]]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits for the lock and holds it until the transaction ends; shared with others who hold it so. */
export async function lockUntilCommit(
  tx: Tx,
  lock: LockName,
  { isShared = false } = {},
): Promise<void> {
  const how = sql.raw(isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await tx.execute(sql`select ${how}(${LOCKS[lock]})`);
}
