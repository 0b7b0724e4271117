import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Logger } from 'pino';
import { codeOf } from '../../runtime/app-error.ts';
import { openClient, WITHOUT_TIME_LIMITS } from '../connection/pool.ts';
import type { Queryable } from '../database.ts';
import { isHeld } from '../database-away.ts';
import { erasedLeftovers } from '../schema/installation.ts';

/*
 * An `update` or `delete` leaves the old version of a row in its table's file until a vacuum, its bytes
 * in the page even after that, a copy in the write-ahead log, and samples of columns in the planner's
 * statistics. So erased data is gone from the disk only after the tables were rewritten and the earlier
 * log was removed (docs/erasure.md describes what an external database permits).
 */

/** Small, and what they hold opens everything else: rewritten whatever their size. */
const KEY_TABLES = ['users', 'evidence_keys'];
/** The other tables with data that an erasure or the retention deletes. */
const TEXT_TABLES = [
  'outbox',
  'certificates',
  'participants',
  'participant_messages',
  'participant_events',
  'violations',
  'feedback',
  'live_frames',
];
/** Rewriting a table of this size, with its indexes, takes some seconds, in which it is locked. */
const REWRITTEN_MOST_BYTES = 256 * 1024 * 1024;
/** Others who queue for a lock behind us wait with us, as in migrate.ts. */
const LOCK_WITHIN_MS = 2_000;
/** Waits for a moment without attempts in progress, but not longer than this. */
const WAITS_MOST_MS = 24 * 3_600_000;

/** Records, in the transaction of an erasure, that its old row versions have to be removed. */
export async function recordLeftovers(tx: Queryable, now: Date): Promise<void> {
  // Also when it is recorded already: the new row version is younger than every snapshot that still
  // sees what was erased before it.
  await tx
    .insert(erasedLeftovers)
    .values({ since: now })
    .onConflictDoUpdate({
      target: erasedLeftovers.one,
      set: { since: sql`${erasedLeftovers.since}` },
    });
}

/** The leftovers that stayed: too large, or their removal not permitted by the database. */
export interface RemovedLeftovers {
  /** Tables that were only vacuumed: bytes of old versions stay in their files until used again. */
  tooLarge: string[];
  /** Commands that this role may not run; the database's own schedule then applies. */
  refused: string[];
}

/**
 * Removes what was erased since the last time from the files of the database. Does nothing, and returns
 * `null`, when there is nothing, while attempts are in progress (for a day at most), and while a
 * transaction older than the erasure can still see it, such as a backup's.
 */
export async function removeLeftovers(
  pool: pg.Pool,
  log: Pick<Logger, 'info' | 'warn'>,
  now: Date,
  signal?: AbortSignal,
): Promise<RemovedLeftovers | null> {
  const client = openClient(pool, { ...WITHOUT_TIME_LIMITS, lock_timeout: LOCK_WITHIN_MS });
  // Cancels the running statement: the old file stays in use, and the next run starts again.
  const stop = () => void client.end().catch(() => undefined);
  try {
    await client.connect();
    // Not before: one that is ended while connecting never reports it.
    if (signal?.aborted) return null;
    signal?.addEventListener('abort', stop);
    const version = await findDue(client, now);
    if (version === null) return null;
    const tooLarge = await rewriteTables(client);
    const refused = await removeLog(client);
    // A later record is another row version, left to the next run.
    await client.query('delete from erased_leftovers where xmin::text = $1', [version]);
    const done = { tooLarge, refused };
    if (tooLarge.length + refused.length === 0) log.info('erased data has left the database files');
    else log.warn(done, 'erased data may still be in files of the database (docs/erasure.md)');
    return done;
  } catch (error) {
    // A table is locked: the next run retries.
    if (isHeld(error) || signal?.aborted) return null;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await client.end();
  }
}

/** The row version of the youngest erasure, if its leftovers can be removed now. */
async function findDue(client: pg.Client, now: Date): Promise<string | null> {
  const { rows } = await client.query<{ version: string }>(
    `select l.xmin::text as version from erased_leftovers l
     where (l.since < $1::timestamptz
         or not exists (select from participants where status = 'in_progress'))
       and not exists (
         select from pg_stat_activity a
         where a.datname = current_database() and a.pid <> pg_backend_pid()
           and greatest(age(a.backend_xmin), age(a.backend_xid)) >= age(l.xmin))`,
    [new Date(now.getTime() - WAITS_MOST_MS).toISOString()],
  );
  return rows[0]?.version ?? null;
}

/** Returns the tables that were too large. */
async function rewriteTables(client: pg.Client): Promise<string[]> {
  const tooLarge: string[] = [];
  for (const table of [...KEY_TABLES, ...TEXT_TABLES]) {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_total_relation_size($1::regclass) as bytes',
      [table],
    );
    const isLarge = Number(rows[0]?.bytes) > REWRITTEN_MOST_BYTES;
    if (isLarge && !KEY_TABLES.includes(table)) {
      tooLarge.push(table);
      await client.query(`vacuum (analyze) ${table}`);
    } else await client.query(`vacuum (full, analyze) ${table}`);
  }
  return tooLarge;
}

/** The statistics hold samples of values; then the earlier log is closed and removed. */
async function removeLog(client: pg.Client): Promise<string[]> {
  const refused: string[] = [];
  for (const command of [
    'vacuum (full) pg_statistic',
    'checkpoint',
    'select pg_switch_wal()',
    'checkpoint',
  ]) {
    try {
      await client.query(command);
    } catch (error) {
      // insufficient_privilege
      if (codeOf(error) !== '42501') throw error;
      if (!refused.includes(command)) refused.push(command);
    }
  }
  return refused;
}
