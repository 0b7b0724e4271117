import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@invigil/testkit/running-server';
import { silentLog } from '@invigil/testkit/silent-log';
import { startEmbeddedPostgres } from '../../../server/src/db/embedded-postgres/supervisor.ts';
import {
  postmasterFile,
  type RunningPostgres,
  signalPostgres,
  signalTo,
  urlOf,
  withPostgres,
} from '../../running-postgres.ts';
import { type FakedClock, makeFakedClock, postgresBy } from '../injected/faked-clock.ts';
import { type LimitedDisk, mountLimitedDisk } from '../injected/limited-disk.ts';
import { type App, startApp } from './app.ts';
import { startHaproxy } from './haproxy.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from './replicated-database.ts';

/** A folder in the checkout, because the system's temporary folder is often in memory. */
const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/** The key of servers on a database that is not their own. */
export const SECRET_KEY = 'k'.repeat(32);

/** Size of the disk of `disk` in megabytes, and the server's reserve on it. */
const DISK_MB = 480;
export const RESERVE_MB = 96;

/**
 * The tested systems: one server with its own database; the same on a small disk; two or three on one
 * database; two on one database with faked clocks; two behind a proxy on a primary with a synchronous
 * standby.
 */
export type SystemName = 'one' | 'disk' | 'two' | 'three' | 'clocks' | 'replicated';

export interface System extends AsyncDisposable {
  apps: App[];
  /** Ports of the line proxies in the order of the apps, or of HAProxy. */
  ports: number[];
  signalDatabase(signal: NodeJS.Signals): void;
  /** Sends a signal to the postmaster only, whose death ends the others. */
  signalPostmaster(signal: NodeJS.Signals): void;
  withDatabase<T>(work: (postgres: RunningPostgres) => Promise<T>): Promise<T>;
  /** Only in the system `disk`. */
  disk?: LimitedDisk;
  /** Only in the system `replicated`. */
  replicated?: ReplicatedDatabase;
  /** Only in the system `clocks`: the database's and the first server's. */
  clocks?: { database: FakedClock; server: FakedClock };
}

export interface SystemSettings {
  apps: SystemName;
  env: Record<string, string>;
  nodeArgs?: string[];
  /** An existing database to use; `apps` must be `one`. */
  database?: DatabasePlace;
}

/** A database of an embedded PostgreSQL, and the data folder of the latter. */
export interface DatabasePlace {
  dataDir: string;
  url: string;
  name: string;
}

export async function startSystem(settings: SystemSettings): Promise<System> {
  const { apps, env, nodeArgs = [], database } = settings;
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, 'faults-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const logged = apps === 'disk' || apps === 'clocks' ? 'warn' : 'fatal';
  const running: App[] = [];
  const start = async (folder: string, more: Record<string, string>) => {
    const app = await startApp({
      dataDir: folder,
      env: { LOG_LEVEL: logged, ...env, ...more },
      nodeArgs,
      port: await freePort(),
    });
    undo.defer(async () => {
      await app.line.close();
      await app.server.kill().catch(() => undefined);
    });
    running.push(app);
  };
  let home = dataDir;
  const parts: Pick<System, 'disk' | 'clocks' | 'replicated'> = {};
  let proxyPort: number | undefined;
  if (database) {
    home = database.dataDir;
    await start(dataDir, { DATABASE_URL: database.url, SECRET_KEY });
  } else if (apps === 'disk') {
    home = join(dataDir, 'disk');
    const disk = mountLimitedDisk(home, DISK_MB);
    undo.defer(() => disk.unmount());
    parts.disk = disk;
    await start(home, { DISK_RESERVE_MB: String(RESERVE_MB) });
  } else if (apps === 'replicated') {
    const replicated = undo.use(await startReplicatedDatabase(dataDir));
    parts.replicated = replicated;
    const more = { DATABASE_URL: replicated.url, SECRET_KEY };
    for (const name of ['a', 'b']) await start(join(dataDir, name), more);
    const proxy = await startHaproxy(
      dataDir,
      running.map(({ server }) => server.port),
    );
    proxyPort = undo.use(proxy).port;
  } else if (apps === 'one') await start(dataDir, {});
  else {
    if (apps === 'clocks') {
      parts.clocks = {
        database: makeFakedClock(join(dataDir, 'clock-of-database')),
        server: makeFakedClock(join(dataDir, 'clock-of-server')),
      };
    }
    const { clocks } = parts;
    const native = clocks && { native: postgresBy(clocks.database, join(dataDir, 'postgres')) };
    const { connection, stop } = await startEmbeddedPostgres({
      dataDir,
      log: silentLog,
      ...native,
    });
    undo.defer(stop);
    const url = urlOf(connection);
    for (const name of apps === 'three' ? ['a', 'b', 'c'] : ['a', 'b']) {
      const clock = name === 'a' ? clocks?.server.env : undefined;
      const more = { DATABASE_URL: url, SECRET_KEY, ...clock };
      await start(join(dataDir, name), more);
    }
  }
  const kept = undo.move();
  return {
    ...parts,
    apps: running,
    ports: proxyPort === undefined ? running.map(({ line }) => line.port) : [proxyPort],
    signalDatabase(signal) {
      signalPostgres(join(home, 'postgres-18'), signal);
    },
    signalPostmaster: (signal) => signalTo(postmasterFile(home).pid, signal),
    withDatabase: (work) => withPostgres(parts.replicated?.home ?? home, database?.name, work),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Waits until this server reports ready, with its database; returns the milliseconds. */
export async function untilReady({ server }: App, withinMs = 60_000): Promise<number> {
  const from = performance.now();
  for (;;) {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`${server.url}/readyz`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    const tookMs = performance.now() - from;
    if (answer?.status === 200) return tookMs;
    if (tookMs > withinMs) throw new Error(`not ready again within ${withinMs} ms`);
    await delay(20);
  }
}
