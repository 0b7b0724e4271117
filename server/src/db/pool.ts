import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartProblem } from '../start-problem.ts';

/** What SQL here is kept to: 15 is the oldest that it is tested on. */
const OLDEST_MAJOR = 15;
const POOL_SIZE = 10;
/** Longer than any save takes; a request that waits longer for a connection answers 503. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A database container often comes up a little after us. */
const REACH_WITHIN_MS = 30_000;
const TRY_EVERY_MS = 500;

/** Not there yet, as opposed to there and refusing us. */
const NOT_YET = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'ECONNRESET', '57P03'];

/** The app's connections. They are made when needed and again after the database was away. */
export function openPool(where: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...where,
    application_name: 'invigil',
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next use. Without a listener it would end
  // the process.
  pool.on('error', (error) =>
    log.warn({ reason: error.message }, 'A database connection was lost'),
  );
  // The pool listens to idle connections only. One that breaks in the middle of a transaction would
  // end the process as well; the transaction itself fails, and is answered with 503.
  pool.on('connect', (client) => {
    client.on('error', ignore);
  });
  return pool;
}

/**
 * Waits until the database answers and makes sure that it is new enough.
 *
 * @throws StartProblem when it cannot be reached within half a minute, refuses us, or is too old
 */
export async function requireDatabase(
  pool: pg.Pool,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const version = await reach(pool, log, signal);
  if (version < OLDEST_MAJOR * 10_000) {
    throw new StartProblem(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}; Invigil needs ${OLDEST_MAJOR} or newer.`,
    );
  }
}

async function reach(pool: pg.Pool, log: Logger, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  for (let told = false; ; ) {
    try {
      const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
      return Number(rows[0]?.server_version_num);
    } catch (error) {
      const late = performance.now() - began > REACH_WITHIN_MS;
      if (late || !NOT_YET.includes(codeOf(error))) {
        throw new StartProblem(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}`);
      }
      if (!told) log.info(`Waiting for the database: ${reasonOf(error)}`);
      told = true;
      await delay(TRY_EVERY_MS, undefined, { signal });
    }
  }
}

function ignore(): void {
  // Whoever holds the connection gets the error of its statement.
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A host with two addresses fails with one error for each and an empty sentence of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
