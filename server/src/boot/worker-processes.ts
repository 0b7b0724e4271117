import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { z } from 'zod';
import { openPool } from '../db/connection/pool.ts';
import { Connection } from '../jobs/liveness/liveness-thread.ts';
import { aggregateMetrics, joinMetrics } from '../metrics/shared-metrics.ts';
import type { Config } from '../runtime/config.ts';
import type { Installation } from './open-installation.ts';
import { buildApp, listen } from './serve.ts';
import type { Shutdown } from './shutdown.ts';

/** Delays before a process that ended unexpectedly is replaced. The last one repeats. */
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** After this uptime the delays start over. */
const WELL_AFTER_MS = 60_000;
/** Less than the parent's own limit for its end: the database stops after them. */
const STOP_WITHIN_MS = 7_500;

/**
 * A process that has been silent for this long hangs or is stopped. The kernel keeps giving it
 * connections, which no one answers, until its socket is closed: it is killed and replaced. One that is
 * only busy for some seconds is left alone.
 */
const SILENT_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

export interface WorkerProcesses {
  /** Resolves when each has listened once; rejects when one ended before. */
  listening: Promise<void>;
  /** Ends them in order; those that take too long are killed. */
  stop(): Promise<void>;
}

/**
 * Starts `count` processes that share the port and keeps that many running. Connections are distributed
 * among them; they share state only through the database.
 */
export function startWorkers(
  count: number,
  installation: Installation,
  log: Logger,
): WorkerProcesses {
  const running = new Map<Worker, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  let haveListened = 0;
  let tries = 0;
  const all = Promise.withResolvers<void>();
  const aliveAt = new Map<Worker, number>();

  const start = () => {
    const began = performance.now();
    const worker = cluster.fork();
    const exited = Promise.withResolvers<void>();
    running.set(worker, exited.promise);
    worker.on('error', (error) => log.error({ err: error }, 'a serving process cannot be reached'));
    worker.once('online', () => worker.send(startMessage(installation)));
    worker.on('message', (message: unknown) => {
      if (isDeepStrictEqual(message, ALIVE)) aliveAt.set(worker, performance.now());
      if (!isDeepStrictEqual(message, LISTENING)) return;
      haveListened += 1;
      if (haveListened === count) all.resolve();
      if (haveListened > count) log.info({ process: worker.process.pid }, 'serving again');
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      running.delete(worker);
      aliveAt.delete(worker);
      exited.resolve();
      if (isStopping) return;
      log.error(
        { process: worker.process.pid, code, signal },
        'a serving process ended unexpectedly',
      );
      // A process that fails at the first start has logged the reason; a retry would change nothing.
      if (haveListened < count) return all.reject(new Error('a serving process did not start'));
      if (performance.now() - began > WELL_AFTER_MS) tries = 0;
      const wait = RESTART_DELAYS_MS[Math.min(tries, RESTART_DELAYS_MS.length - 1)];
      tries += 1;
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!isStopping) start();
      }, wait);
      timers.add(timer);
    });
  };
  let checkedAt = performance.now();
  const endSilent = () => {
    const now = performance.now();
    const silent = silentOnes(aliveAt, now, now - checkedAt);
    checkedAt = now;
    for (const worker of silent) {
      log.error({ process: worker.process.pid }, 'a serving process hangs and is killed');
      // Once: it is gone, or stuck in the kernel, where another signal does not help.
      aliveAt.delete(worker);
      worker.process.kill('SIGKILL');
    }
  };
  const checks = setInterval(endSilent, CHECK_EVERY_MS);
  checks.unref();
  aggregateMetrics();
  for (let i = 0; i < count; i += 1) start();

  return {
    listening: all.promise,
    async stop() {
      isStopping = true;
      clearInterval(checks);
      for (const timer of timers) clearTimeout(timer);
      const signalAll = (signal: 'SIGTERM' | 'SIGKILL') => {
        for (const worker of running.keys()) worker.process.kill(signal);
      };
      signalAll('SIGTERM');
      const force = setTimeout(() => {
        log.warn('serving processes are slow to stop and are killed');
        signalAll('SIGKILL');
      }, STOP_WITHIN_MS);
      await Promise.all(running.values());
      clearTimeout(force);
    },
  };
}

/**
 * The processes that have been silent for too long. When this process itself was suspended (the machine
 * slept, or it was stopped), it could receive nothing, and all times start over.
 *
 * @param aliveAt when each last sent a message; restarted here in that case
 * @param sinceMs time since the last call
 */
export function silentOnes<T>(aliveAt: Map<T, number>, now: number, sinceMs: number): T[] {
  if (sinceMs > SILENT_MS / 2) for (const one of aliveAt.keys()) aliveAt.set(one, now);
  return [...aliveAt].filter(([, at]) => now - at > SILENT_MS).map(([one]) => one);
}

const StartMessage = z.object({
  kind: z.literal('start'),
  connection: Connection,
  webDist: z.string().nullable(),
});

/** Sent to the parent once the process serves. */
const LISTENING = { kind: 'listening' };

/** Sent every second from then on, as a heartbeat. */
const ALIVE = { kind: 'alive' };
const ALIVE_EVERY_MS = 1_000;

/** The parent's first message to a process that shall serve. */
function startMessage({ connection, webDist }: Installation): object {
  return { kind: 'start', connection, webDist };
}

/**
 * One of several serving processes, started by a parent that has prepared everything
 * (worker-processes.ts). It ends with its parent: Node ends a worker that is disconnected.
 */
export async function runAsWorker(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const [message] = await once(process, 'message', { signal: shutdown.signal });
  const { connection, webDist } = StartMessage.parse(message);
  const pool = openPool(connection, log);
  shutdown.onEnd('connections', () => pool.end());
  const app = await buildApp({ config, log, pool, webDist, joinMetrics }, shutdown);
  await listen(app, connection, shutdown, { besideOthers: true });
  process.send?.(LISTENING);
  setInterval(() => process.send?.(ALIVE), ALIVE_EVERY_MS).unref();
}
