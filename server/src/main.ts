import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { setUpFirst } from './boot/first-set-up.ts';
import { openInstallation } from './boot/open-installation.ts';
import { buildApp, listen } from './boot/serve.ts';
import { type Shutdown, watchForEnd } from './boot/shutdown.ts';
import { runAsWorker, startWorkers } from './boot/worker-processes.ts';
import { Presence } from './demo/presence.ts';
import { StartProblem } from './runtime/app-error.ts';
import { type Config, configFromEnvironment } from './runtime/config.ts';
import { createLog } from './runtime/log.ts';
import { requireStorage } from './storage/open-storage.ts';

/** `npm run dev` passes it, where Vite serves the web app. */
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
  await (cluster.isWorker ? runAsWorker : start)(config, log, shutdown);
} catch (error) {
  if (!shutdown.signal.aborted) {
    if (error instanceof StartProblem) complain([error.message]);
    else log.fatal({ err: error }, 'Invigil could not be started');
  }
  await shutdown.end(1);
}

/** Starts serving: in this process, or in as many others as WEB_CONCURRENCY says. */
async function start(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const { port, publicUrl, webConcurrency } = config;
  const installation = await openInstallation(config, log, shutdown, !WITHOUT_WEB);
  await requireStorage(config, log);
  const app = await buildApp({ config, log, ...installation }, shutdown);
  const lines = await setUpFirst(app.context, installation.pool, DEMO);
  try {
    if (webConcurrency === 1) {
      await listen(app, installation.connection, shutdown);
      if (DEMO) shutdown.onEnd('demonstration', (await Presence.begin(app.context)).start());
    } else {
      // The app has only prepared the installation; this process supervises the others from now on.
      await app.close();
      const workers = startWorkers(webConcurrency, installation, log);
      shutdown.onEnd('serving processes', () => workers.stop());
      await workers.listening;
    }
    say(`Invigil is ready at http://localhost:${port}`);
    if (publicUrl !== `http://localhost:${port}`) say(`and, for others, at ${publicUrl}`);
  } finally {
    // Stored already, and never shown again: it is printed even if the port has been taken since.
    for (const line of lines) say(line);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}
