import { inject } from 'vitest';
import { type App, createApp } from '../server/src/boot/app.ts';
import { openPool } from '../server/src/db/connection/pool.ts';
import type { TestApp } from './app.ts';
import { silentLog } from './silent-log.ts';

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
