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

const StartMessage = z.object({
  kind: z.literal('start'),
  connection: Connection,
  webDist: z.string().nullable(),
});

/** Sent to the parent once the process serves. */
export const LISTENING = { kind: 'listening' };

/** Sent every second from then on, as a heartbeat. */
export const ALIVE = { kind: 'alive' };
const ALIVE_EVERY_MS = 1_000;

/** The parent's first message to a process that shall serve. */
export function startMessage({ connection, webDist }: Installation): object {
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
