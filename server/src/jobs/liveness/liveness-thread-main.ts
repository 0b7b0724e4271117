import { parentPort, workerData } from 'node:worker_threads';
import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import { openPool } from '../../db/connection/pool.ts';
import { startServiceClock } from '../../runtime/clock.ts';
import { createLog } from '../../runtime/log.ts';
import { LivenessThreadData } from './liveness-thread.ts';
import { OUTAGE_MS } from './liveness-watch.ts';

/*
 * The body of the liveness thread (liveness-thread.ts). It runs in every server, so modules that
 * only an outage needs are loaded when there is one.
 */

const { connection, logLevel } = LivenessThreadData.parse(workerData);
const log = createLog(logLevel);
const pool = openPool(connection, log, 1);
const clock = await startServiceClock({ pool, log });

// The same as `liveness.ts` does without an outage; does not wait for the disk either.
const NOTE_SQL = `
with quickly as (select set_config('synchronous_commit', 'off', true))
insert into liveness (alive_at) select $1 from quickly
on conflict (one) do update set alive_at = greatest(liveness.alive_at, excluded.alive_at)`;

async function recordAlive(now: Date): Promise<void> {
  const { rows } = await pool.query<{ alive_at: Date }>('select alive_at from liveness');
  const awayMs = rows[0] && now.getTime() - rows[0].alive_at.getTime();
  if (awayMs !== undefined && awayMs > OUTAGE_MS) {
    const { openDatabase } = await import('../../db/database.ts');
    const { recordAliveAndRecover } = await import('./liveness.ts');
    await recordAliveAndRecover({ db: openDatabase(pool), log }, now);
  } else if (awayMs === undefined || awayMs >= CLOCK_LIMITS.livenessEveryMs) {
    await pool.query(NOTE_SQL, [now]);
  }
}

/** `null` while the database responds. */
let failure: unknown = null;
let isNoting = false;

async function note(): Promise<void> {
  if (isNoting) return;
  isNoting = true;
  try {
    await recordAlive(clock.now());
    failure = null;
  } catch (err) {
    // Logged once: this is retried every second while the database is unavailable.
    if (failure === null) log.warn({ err }, 'liveness could not be recorded');
    failure = err;
  }
  isNoting = false;
}

const timer = setInterval(() => void note(), CLOCK_LIMITS.livenessCheckMs);
await note();
parentPort?.postMessage('noting');
parentPort?.once('message', async () => {
  clearInterval(timer);
  clock.stop();
  await pool.end();
});
