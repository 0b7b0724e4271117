import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../../runtime/config-values.ts';
import { within } from '../../runtime/within.ts';

/** How a thread or process of ours reaches the database. */
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
 * Notes that the service is up on a thread and a connection of its own. The event loop that serves
 * requests may be held up by load, which candidates can cause; were it to note liveness, they could
 * make its slowness look like an outage and gain time by it. Resolves when the first note is written.
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
      await within(STOP_WITHIN_MS, exited, () => new Error('the liveness thread is slow')).catch(
        () => worker.terminate(),
      );
    },
  };
}
