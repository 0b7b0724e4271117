import { once } from 'node:events';
import type { Logger } from 'pino';
import { z } from 'zod';
import { openPool } from '../db/connection/pool.ts';
import { Connection } from '../jobs/liveness/liveness-thread.ts';
import { joinMetrics } from '../metrics/shared-metrics.ts';
import type { Config } from '../runtime/config.ts';
import type { Installation } from './open-installation.ts';
import { buildApp, listen } from './serve.ts';
import type { Shutdown } from './shutdown.ts';

const StartWord = z.object({
  kind: z.literal('start'),
  connection: Connection,
  webDist: z.string().nullable(),
});

/** A process tells its parent that it answers. */
export const LISTENING = { kind: 'listening' };

/** … and, every second from then on, that it is not stuck. */
export const ALIVE = { kind: 'alive' };
const ALIVE_EVERY_MS = 1_000;

/** The first word of the parent to a process that shall serve. */
export function startWord({ connection, webDist }: Installation): object {
  return { kind: 'start', connection, webDist };
}

/**
 * One of several processes that serve, started by a parent that has made everything ready
 * (worker-processes.ts). It ends with its parent: Node ends a worker whose line to it is gone.
 */
export async function runAsWorker(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const [word] = await once(process, 'message', { signal: shutdown.signal });
  const { connection, webDist } = StartWord.parse(word);
  const pool = openPool(connection, log);
  shutdown.onEnd('connections', () => pool.end());
  const app = await buildApp({ config, log, pool, webDist, joinMetrics }, shutdown);
  await listen(app, connection, shutdown, { besideOthers: true });
  process.send?.(LISTENING);
  setInterval(() => process.send?.(ALIVE), ALIVE_EVERY_MS).unref();
}
