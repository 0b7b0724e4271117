import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { AppError } from './app-error.ts';
import { startServiceClock } from './clock.ts';
import { type Config, configFromEnvironment } from './config.ts';
import { claimDataDir, makeDataDir } from './data-dir.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { openPool, requireDatabase } from './db/pool.ts';
import { describeDemo, fillDemo } from './demo/fill-demo.ts';
import { ensureFirstAdmin } from './features/admins/ensure-first-admin.ts';
import { bootstrapSmtpSettings } from './features/smtp-settings/bootstrap-smtp-settings.ts';
import { noteAliveAndRecover } from './jobs/liveness.ts';
import { createLog } from './log.ts';
import { listenProblem, requireFreePort } from './port.ts';
import { loadSecretKey } from './secret-key.ts';
import { deriveKeys } from './security/keys.ts';
import { type Shutdown, watchForEnd } from './shutdown.ts';
import { StartProblem } from './start-problem.ts';
import { ensureWebBuild } from './web-build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** For `npm run dev`, where Vite serves the web app. */
const WITHOUT_WEB = process.argv.includes('--without-web');
/** `npm start -- --demo`: fills an empty database with a demonstration before it listens. */
const DEMO = process.argv.includes('--demo');

const settings = configFromEnvironment();
if ('problems' in settings) {
  complain(settings.problems);
  process.exit(1);
}
const { config } = settings;
const log = createLog(config.logLevel);
const shutdown = watchForEnd(log);
try {
  await start(config, log, shutdown);
} catch (error) {
  if (!shutdown.signal.aborted) {
    if (error instanceof StartProblem) complain([error.message]);
    else log.fatal({ err: error }, 'Invigil could not be started');
  }
  await shutdown.end(1);
}

/** From nothing to listening. Whatever it opens, it first tells `shutdown` how to close. */
async function start(config: Config, log: Logger, { signal, onEnd }: Shutdown): Promise<void> {
  const { dataDir, port } = config;
  makeDataDir(dataDir);
  const openDatabase = config.databaseUrl === null ? embeddedDatabase() : externalDatabase;
  await requireFreePort(config);
  const keys = deriveKeys(config.secretKey ?? loadSecretKey(dataDir));

  const [webDist, pool] = await Promise.all([
    WITHOUT_WEB ? null : ensureWebBuild({ root: ROOT, dataDir, log, signal }),
    openDatabase(),
  ]);
  await migrate(pool);

  const clock = await startServiceClock({ pool, log });
  onEnd('clock', () => clock.stop());
  const app = await createApp({ config, pool, clock, keys, log, webDist });
  onEnd('app', () => app.close());
  await bootstrapSmtpSettings(app.context).catch((error: unknown) => {
    throw error instanceof AppError ? new StartProblem(`SMTP_URL: ${error.message}`) : error;
  });
  const demo = DEMO ? await fillDemo(app.context) : null;
  const firstAdmin = demo
    ? demo.firstAdmin
    : await ensureFirstAdmin({ db: app.context.db, clock, config });
  // Before the first request: a save that waited for us must not find its attempt closed.
  await noteAliveAndRecover(app.context, clock.now());
  try {
    await app.fastify.listen({ port, host: config.host }).catch((error: unknown) => {
      throw listenProblem(error, config);
    });
    app.startJobs();
    say(`Invigil is ready at http://localhost:${port}`);
    if (config.publicUrl !== `http://localhost:${port}`)
      say(`and, for others, at ${config.publicUrl}`);
  } finally {
    // Stored already, and never shown again: it is told even if the port was taken meanwhile.
    if (firstAdmin !== null) {
      say(`First administrator: ${firstAdmin.email}`);
      say(`password: ${firstAdmin.password}`);
    }
    if (demo !== null) for (const line of describeDemo(demo)) say(line);
  }

  /** Claims the data folder now, so that a second start says so before anything else. */
  function embeddedDatabase() {
    const claim = claimDataDir(dataDir);
    onEnd('data folder', () => claim.release());
    return async () => {
      const starting = startEmbeddedPostgres({ dataDir, log, signal, claim });
      // Also when the end comes while it starts: it then gives up, and there is nothing to stop.
      onEnd('database', () => starting.then((database) => database.stop(), ignore));
      return openConnections((await starting).connection);
    };
  }

  function externalDatabase() {
    return openConnections({ connectionString: config.databaseUrl ?? '' });
  }

  async function openConnections(where: Parameters<typeof openPool>[0]) {
    const pool = openPool(where, log);
    onEnd('connections', () => pool.end());
    await requireDatabase(pool, log, signal);
    return pool;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

function ignore(): void {
  // What went wrong is told where it was awaited.
}
