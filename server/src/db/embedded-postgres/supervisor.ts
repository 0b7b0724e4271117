import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimDataDir, type DataDirClaim } from '../../runtime/data-dir.ts';
import { installedBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import type { SupervisorLog } from './log.ts';
import { choosePlacement } from './placement.ts';
import {
  endPostmaster,
  type Postmaster,
  type PostmasterRequest,
  startPostmaster,
} from './postmaster.ts';
import { appConnection, type Connection, ensureDatabase, superuserConnection } from './roles.ts';
import { serverLog } from './server-log.ts';
import type { ServerSettings } from './server-settings.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: SupervisorLog;
  /** PostgreSQL settings that override ours. `fsync: 'off'` speeds up tests. */
  settings?: ServerSettings;
  /** Ends the start. */
  signal?: AbortSignal | undefined;
  /** The caller's claim on `dataDir`; otherwise one is made and released here. */
  claim?: DataDirClaim;
  /** Another folder with `bin`, `lib` and `share`. */
  native?: string;
  /** Holds the database when PostgreSQL, not being root, cannot reach `dataDir`. */
  stateRoot?: string;
}

/** A running PostgreSQL, restarted when it ends. */
export interface EmbeddedPostgres {
  /** The app's role and database. Unchanged by a restart. */
  connection: Connection;
  /** The cluster's owner; for tests that make and drop databases. */
  superuser: Connection;
  /** `18.4` */
  version: string;
  /** null while the server is down and about to be restarted. */
  readonly pid: number | null;
  /** Shuts it down in order, within about eight seconds even if it has to be forced. */
  stop(): Promise<void>;
  /** Settles when it has stopped for good, which only `stop` does. */
  exited: Promise<void>;
}

const STATE_ROOT = '/var/lib/invigil';

/** Before each try to restart a server that died. The last one repeats. */
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** After this uptime the delays start over. */
const WELL_AFTER_MS = 60_000;
/** A fast shutdown takes 15 ms, but flushes memory, which takes longer on a slow disk. */
const FAST_STOP_MS = 6_000;
/** After that, an immediate one, which the next start repairs. */
const IMMEDIATE_STOP_MS = 1_500;

/**
 * Starts the PostgreSQL that npm installed on `dataDir`, making the database the first time, and
 * starts it again whenever it dies. Call it from the main thread: the kernel ends the server with
 * the thread that started it.
 *
 * docs/decisions/002-embedded-postgres-supervisor.md says what it guards against and why.
 *
 * @throws StartProblem with one line for the person at the terminal
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options;
  const claim = options.claim ?? claimDataDir(options.dataDir);
  const release = () => {
    if (options.claim === undefined) claim.release();
  };
  try {
    const placement = await choosePlacement({
      dataDir: claim.folder,
      native: options.native ?? installedBinaries(),
      stateRoot: options.stateRoot ?? STATE_ROOT,
      log,
    });
    await ensureCluster(placement, log, settings.fsync !== 'off');
    const request: PostmasterRequest = {
      placement,
      socketFolder: makeSocketFolder(placement.base, placement.identity),
      settings,
      serverLog: serverLog(join(claim.folder, 'postgres.log')),
      log,
    };
    const first = await startPostmaster({ ...request, signal: options.signal });
    const supervised = supervise(first, request, release);
    try {
      await ensureDatabase(request.socketFolder);
    } catch (error) {
      await supervised.stop();
      throw error;
    }
    const { identity, version, cluster } = placement;
    log.info(
      { version, cluster, postmaster: first.pid, as: identity.name },
      'PostgreSQL is running',
    );
    return Object.assign(supervised, {
      connection: appConnection(request.socketFolder),
      superuser: superuserConnection(request.socketFolder),
      version,
    });
  } catch (error) {
    release();
    throw error;
  }
}

type Supervised = Pick<EmbeddedPostgres, 'pid' | 'stop' | 'exited'>;

function supervise(first: Postmaster, request: PostmasterRequest, release: () => void): Supervised {
  const { log } = request;
  const stopping = new AbortController();
  let current: Postmaster | null = first;

  // An exit handler ends the server at every exit except a kill, where the kernel does not end it with us
  // (macOS). It cannot wait; a shutdown that has begun continues without us.
  const onExit = () => {
    if (current !== null) endPostmaster(current, 'SIGINT');
  };
  process.once('exit', onExit);

  async function keepRunning(): Promise<void> {
    let tries = 0;
    for (;;) {
      const began = performance.now();
      const exit = await current?.exited;
      current = null;
      if (stopping.signal.aborted) return;
      if (performance.now() - began > WELL_AFTER_MS) tries = 0;
      log.error({ ...exit }, 'PostgreSQL ended unexpectedly; restarting it');
      while (current === null) {
        const wait = RESTART_DELAYS_MS[Math.min(tries, RESTART_DELAYS_MS.length - 1)];
        tries += 1;
        try {
          await delay(wait, undefined, { signal: stopping.signal });
          current = await startPostmaster({ ...request, signal: stopping.signal });
          log.info({ postmaster: current.pid }, 'PostgreSQL has been restarted');
        } catch (error) {
          if (stopping.signal.aborted) return;
          log.error({ err: error }, 'PostgreSQL could not be restarted');
        }
      }
    }
  }

  async function end(): Promise<void> {
    const running = current;
    stopping.abort();
    if (running !== null) {
      endPostmaster(running, 'SIGINT');
      if (!(await endsWithin(running, FAST_STOP_MS))) {
        log.warn('PostgreSQL is slow to stop; the next start will have to recover');
        endPostmaster(running, 'SIGQUIT');
        if (!(await endsWithin(running, IMMEDIATE_STOP_MS))) endPostmaster(running, 'SIGKILL');
      }
    }
    await exited;
  }

  const exited = keepRunning().finally(() => {
    process.removeListener('exit', onExit);
    removeSocketFolder(request.socketFolder);
    release();
  });
  let ended: Promise<void> | undefined;
  return {
    get pid() {
      return current?.pid ?? null;
    },
    stop() {
      ended ??= end();
      return ended;
    },
    exited,
  };
}

async function endsWithin(postmaster: Postmaster, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const ended = await Promise.race([postmaster.exited.then(() => true), timeout]);
  timer.abort();
  return ended;
}
