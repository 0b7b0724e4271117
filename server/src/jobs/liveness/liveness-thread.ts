import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../../runtime/config.ts';
import { within } from '../../runtime/within.ts';

/** How a thread or child process connects to the database. */
export const Connection = z.union([
  z.object({ connectionString: z.string() }),
  z.object({ host: z.string(), port: z.number(), user: z.string(), database: z.string() }),
]);

export const LivenessThreadData = z.object({
  connection: Connection,
  logLevel: z.enum(LOG_LEVELS),
});

const RESTART_AFTER_MS = 1_000;
const STOP_WITHIN_MS = 2_000;

export interface LivenessThread {
  stop(): Promise<void>;
}

/**
 * Records that the service is up, on its own thread and connection. Load, which candidates can
 * cause, may block the event loop that serves requests; if that recorded liveness, they could make
 * slowness look like an outage and gain time. Resolves when the first record is written.
 */
export async function startLivenessThread(
  connection: pg.PoolConfig,
  log: Logger,
): Promise<LivenessThread> {
  let isStopping = false;
  let worker = start();
  await once(worker, 'message');

  function start(): Worker {
    const started = new Worker(new URL('./liveness-thread-main.ts', import.meta.url), {
      workerData: { connection, logLevel: log.level as LogLevel },
    });
    started.on('error', (err) => log.error({ err }, 'the liveness thread failed'));
    started.once('exit', () => {
      if (isStopping) return;
      setTimeout(() => {
        if (!isStopping) worker = start();
      }, RESTART_AFTER_MS).unref();
    });
    return started;
  }

  return {
    async stop() {
      isStopping = true;
      if (worker.threadId === -1) return;
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await within(
        STOP_WITHIN_MS,
        exited,
        () => new Error('the liveness thread did not stop in time'),
      ).catch(() => worker.terminate());
    },
  };
}
