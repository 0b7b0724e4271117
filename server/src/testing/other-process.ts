import { inject } from 'vitest';
import { type App, createApp } from '../boot/app.ts';
import { openPool } from '../db/connection/pool.ts';
import { silentLog } from './silent-log.ts';
import type { TestApp } from './test-app.ts';

/**
 * Simulates another process on the same database, with its own connections and memory. Only the clock,
 * which the test controls, is shared. `close` ends its connections, too.
 */
export async function startOtherProcess(app: TestApp): Promise<App> {
  const { rows } = await app.pool.query('select current_database() as name');
  const pool = openPool({ ...inject('postgres'), database: rows[0].name }, silentLog);
  const { config, clock, keys } = app.context;
  const other = await createApp({ config, pool, clock, keys, log: silentLog, webDist: null });
  let closed: Promise<void> | undefined;
  return {
    ...other,
    close() {
      closed ??= other.close().then(() => pool.end());
      return closed;
    },
  };
}
