import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '@invigil/testkit/silent-log';
import { openPool } from '../../../server/src/db/connection/pool.ts';
import type { RunningPostgres } from '../../running-postgres.ts';

const POLL_EVERY_MS = 20;

export interface HeldTable {
  /** Waits until a statement that begins with this text is blocked; returns whether it was in time. */
  untilWaits(statement: string, withinMs: number): Promise<boolean>;
  /** Cuts the connections of blocked statements that begin with this text, and waits for their end. */
  cut(statement: string): Promise<void>;
}

/**
 * Locks the table against writers during `work`, for at most 20 seconds: then the pool ends the idle
 * transaction.
 */
export async function holdTable<T>(
  { connection }: RunningPostgres,
  table: string,
  work: (held: HeldTable) => Promise<T>,
): Promise<T> {
  const pool = openPool(connection, silentLog);
  const holder = await pool.connect();
  try {
    await holder.query(`begin; lock table ${table} in exclusive mode`);
    const waiting = `from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like $1`;
    return await work({
      async untilWaits(statement, withinMs) {
        const until = performance.now() + withinMs;
        while (performance.now() < until) {
          const { rowCount } = await pool.query(`select pid ${waiting}`, [`${statement}%`]);
          if (rowCount !== 0) return true;
          await delay(POLL_EVERY_MS);
        }
        return false;
      },
      async cut(statement) {
        await pool.query(`select pg_terminate_backend(pid, 5000) ${waiting}`, [`${statement}%`]);
      },
    });
  } finally {
    await holder.query('rollback').catch(() => undefined);
    holder.release(true);
    await pool.end();
  }
}
