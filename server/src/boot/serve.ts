import type pg from 'pg';
import { startLivenessThread } from '../jobs/liveness/liveness-thread.ts';
import { startServiceClock } from '../runtime/clock.ts';
import { deriveKeys } from '../security/keys.ts';
import { loadSecretKey } from '../security/secret-key.ts';
import { type App, createApp } from './app.ts';
import type { AppDeps } from './context.ts';
import { listenProblem } from './port.ts';
import type { Shutdown } from './shutdown.ts';

/** Builds the app of this process. It does not listen yet. */
export async function buildApp(
  parts: Omit<AppDeps, 'clock' | 'keys'>,
  { onEnd }: Pick<Shutdown, 'onEnd'>,
): Promise<App> {
  const { config, log, pool } = parts;
  const keys = deriveKeys(config.secretKey ?? loadSecretKey(config.dataDir));
  const clock = await startServiceClock({ pool, log });
  const app = await createApp({ ...parts, clock, keys });
  const close = async () => {
    await app.close();
    clock.stop();
  };
  onEnd('app', close);
  return { ...app, close };
}

/** Ten thousand papers take a second or two; browsers hold their requests until then. */
const WARM_WITHIN_MS = 3_000;

/** Accepts requests and runs the periodic jobs from here on. Throws StartProblem. */
export async function listen(
  { fastify, context, startJobs }: App,
  connection: pg.PoolConfig,
  { onEnd }: Pick<Shutdown, 'onEnd'>,
  { besideOthers = false } = {},
): Promise<void> {
  const { config, clock, log } = context;
  const { port, host } = config;
  await context.papers.warm(WARM_WITHIN_MS).catch((error: unknown) => {
    context.log.warn({ err: error }, 'papers of attempts under way could not be read ahead');
  });
  // Before the first request: a save that waited for us must not find its attempt closed.
  await context.liveness.note(clock.now());
  const liveness = await startLivenessThread(connection, log);
  onEnd('liveness thread', () => liveness.stop());
  // Each process has its own accept queue where the kernel supports it, which ends with the process. Node's
  // cluster would pass connections through the parent, and lose those of a killed process.
  const reusePort = besideOthers && process.platform === 'linux';
  await fastify
    .listen({ port, host, ...(reusePort ? { reusePort } : {}) })
    .catch((error: unknown) => {
      throw listenProblem(error, config);
    });
  startJobs();
  context.metrics.watchProcess();
}
