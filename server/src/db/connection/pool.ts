import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { codeOf, StartProblem } from '../../runtime/app-error.ts';
import { DatabaseClient, type DatabaseClientConfig } from './database-client.ts';

/** The oldest PostgreSQL that the SQL here is tested on. */
const OLDEST_MAJOR = 15;
const POOL_SIZE = 8;
/** Answers and heartbeats, each one batch at a time. */
const BATCH_POOL_SIZE = 2;
/** Longer than the pause between two saves of a single candidate. */
const BATCH_POOL_IDLE_MS = 60_000;
/** PostgreSQL's own default. */
const CONNECTIONS_LEAST = 100;
/** Connections left to commands beside the server, a person with psql, and PostgreSQL's own superuser. */
const CONNECTIONS_BESIDE = 20;
/** A request that waits longer for a connection is answered with 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Our statements take milliseconds. The database ends a statement after the first time, a lock wait after
 * the second; the last is ours, for a database that hangs and ends nothing.
 */
const STATEMENT_TIMEOUT_MS = 8_000;
const LOCK_TIMEOUT_MS = 6_000;
const QUERY_TIMEOUT_MS = 9_000;
/** Longer than a pause of our event loop; an open transaction holds locks that others need. */
const IDLE_IN_TRANSACTION_MS = 20_000;
/** A database container often comes up a little after us. */
const REACH_WITHIN_MS = 30_000;
const TRY_EVERY_MS = 500;

/** Settings of a connection without time limits: migrations, awaited locks. */
export const WITHOUT_TIME_LIMITS = {
  statement_timeout: 0,
  lock_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** Not there yet, as opposed to there and refusing us. */
const NOT_YET = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ECONNRESET',
  '57P03',
  '25006',
];

/**
 * How many connections a database must allow for a number of serving processes, with their parent when
 * there are several. Each may have two beside its pools: one to wait for a lock, one for its liveness
 * thread.
 */
export function connectionsFor(processes: number): number {
  const all = processes === 1 ? 1 : processes + 1;
  return Math.max(CONNECTIONS_LEAST, all * (POOL_SIZE + BATCH_POOL_SIZE + 2) + CONNECTIONS_BESIDE);
}

/** The app's connections, created on demand and again after the database was away. */
export function openPool(
  where: pg.PoolConfig & DatabaseClientConfig,
  log: Logger,
  max: number = POOL_SIZE,
): pg.Pool {
  const pool = new pg.Pool({
    ...where,
    Client: DatabaseClient,
    application_name: 'invigil',
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at its next use. Without a listener it would end
  // the process.
  pool.on('error', (error) => {
    // One of a pool that is ending may fail because the database stops first.
    if (!pool.ending) log.warn({ reason: error.message }, 'A database connection was lost');
  });
  // The pool listens to idle connections only. One that breaks in a transaction would end the
  // process as well; the transaction itself fails, and is answered with 503.
  pool.on('connect', (client) => {
    client.on('error', ignore);
  });
  return pool;
}

/** Connections for batches alone, beside the pool's and to the same database. The caller ends them. */
export function openBatchPool(pool: pg.Pool, log: Logger): pg.Pool {
  const { options } = pool;
  const { password } = options;
  const where = { ...options, password, plansOnce: true, idleTimeoutMillis: BATCH_POOL_IDLE_MS };
  return openPool(where, log, BATCH_POOL_SIZE);
}

/** A connection beside the pool's, to the same database. The caller connects and ends it. */
export function openClient(pool: pg.Pool, settings: pg.ClientConfig): pg.Client {
  // The pool hides the password from anyone who copies its options.
  const { options } = pool;
  const client = new DatabaseClient({ ...options, password: options.password, ...settings });
  // A lost connection fails the running statement, which is enough.
  client.on('error', ignore);
  return client;
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
  for (let isLogged = false; ; ) {
    try {
      const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
      return Number(rows[0]?.server_version_num);
    } catch (error) {
      const late = performance.now() - began > REACH_WITHIN_MS;
      if (late || !NOT_YET.includes(codeOf(error))) {
        throw new StartProblem(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}`);
      }
      if (!isLogged) log.info(`Waiting for the database: ${reasonOf(error)}`);
      isLogged = true;
      await delay(TRY_EVERY_MS, undefined, { signal });
    }
  }
}

function ignore(): void {
  // The query on the connection rejects with the error.
}

/** A host with two addresses fails with one error for each and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
