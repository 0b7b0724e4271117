import type pg from 'pg';
import { inject } from 'vitest';
import { type App, createApp } from '../server/src/boot/app.ts';
import { openPool } from '../server/src/db/connection/pool.ts';
import type { TestApp } from './app.ts';
import { silentLog } from './silent-log.ts';

/**
 * Simulates another process on the same database, with its own connections and memory. Only the clock,
 * which the test controls, is shared. `close` ends its connections, too.
 *
 * @param prepare gets the connections before anything uses them
 */
export async function startOtherProcess(
  app: TestApp,
  differs: Partial<Pick<App['context'], 'clock' | 'config' | 'log'>> = {},
  prepare: (pool: pg.Pool) => void = () => undefined,
): Promise<App> {
  const { rows } = await app.pool.query('select current_database() as name');
  const pool = openPool({ ...inject('postgres'), database: rows[0].name }, silentLog);
  prepare(pool);
  const { config, clock, keys } = app.context;
  const parts = { config, pool, clock, keys, log: silentLog, webDist: null, ...differs };
  const other = await createApp(parts);
  let closed: Promise<void> | undefined;
  return {
    ...other,
    close() {
      closed ??= other.close().then(() => pool.end());
      return closed;
    },
  };
}
