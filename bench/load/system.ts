import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HttpPerson } from '@invigil/testkit/http-person';
import { type RunningServer, startServer } from '@invigil/testkit/running-server';
import { silentLog } from '@invigil/testkit/silent-log';
import { startEmbeddedPostgres } from '../../server/src/db/embedded-postgres/supervisor.ts';
import { deriveKeys, type Keys } from '../../server/src/security/keys.ts';
import { type BenchmarkResult, CannotRun, conclude } from '../benchmark.ts';
import { type Disk, describeDisk, describeMachine, type Machine } from '../machine.ts';
import { openPostgres, postmasterFile, type RunningPostgres, urlOf } from '../running-postgres.ts';
import type { Part } from './figures.ts';
import { otherShareOf, type Processes, spentDuring } from './processor-time.ts';

/** A folder in the checkout, because the system's temporary folder is often in memory. */
const DATA = fileURLToPath(new URL('../data/', import.meta.url));
/** Fixed, so that codes and sessions can be written in bulk. */
const SECRET_KEY = 'a secret of the benchmarks, 32 characters and more';
/** Files and database connections of a process, besides one connection per candidate. */
const OTHER_DESCRIPTORS = 300;

/** One server, started as by `npm start`, and its PostgreSQL. */
export interface LoadSystem extends AsyncDisposable {
  readonly server: RunningServer;
  /** Restarts the server at the same address; only with an external database. */
  restartServer(): Promise<void>;
  /** A new session of the administrator. */
  signIn(): Promise<HttpPerson>;
  /** Connects as the database's owner, without timeouts. */
  postgres: RunningPostgres;
  keys: Keys;
  machine: Machine & { disk: Disk };
  readonly processes: Processes;
  /** Ends something before the server is stopped. */
  use<T extends AsyncDisposable>(started: T): T;
}

export interface LoadSystemSettings {
  /** `external`: a separate server, passed as DATABASE_URL. Durable settings in both cases. */
  database: 'external' | 'embedded';
  env?: Record<string, string>;
  nodeArgs?: string[];
  /** Serve the web app as well. */
  web?: boolean;
  /** The limit of an external database, with room for clients beside the server. */
  maxConnections?: number;
}

/** Runs a benchmark on a server of its own, whose machine is that of the result, and measures the load of others. */
export function scenario(
  name: string,
  settings: LoadSystemSettings,
  measure: (system: LoadSystem) => Promise<Omit<BenchmarkResult, 'machine' | 'otherShare'>>,
): Promise<void> {
  return conclude(name, async () => {
    await using system = await startLoadSystem(settings);
    const { result, spent } = await spentDuring(system.processes, () => measure(system));
    return { machine: system.machine, otherShare: spent && otherShareOf(spent), ...result };
  });
}

/** Starts both on a new, empty database. */
export async function startLoadSystem(settings: LoadSystemSettings): Promise<LoadSystem> {
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, 'load-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const disk = describeDisk(dataDir);
  const env: Record<string, string> = { SECRET_KEY, ...settings.env };
  let appDir = dataDir;
  if (settings.database === 'external') {
    const { maxConnections } = settings;
    const { connection, stop } = await startEmbeddedPostgres({
      dataDir,
      log: silentLog,
      settings: maxConnections === undefined ? {} : { max_connections: String(maxConnections) },
    });
    undo.defer(stop);
    env.DATABASE_URL = urlOf(connection);
    appDir = join(dataDir, 'app');
    mkdirSync(appDir);
  }
  // Options for profiling, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`.
  const extraArgs = (process.env.BENCH_SERVER_NODE_ARGS ?? '').split(' ').filter(Boolean);
  const nodeArgs = [...(settings.nodeArgs ?? []), ...extraArgs];
  const options = { dataDir: appDir, env, nodeArgs, web: settings.web ?? false };
  let server = await startServer(options);
  undo.defer(async () => void (await server.stop()));
  const { postgres, end } = await openPostgres(dataDir);
  undo.defer(end);
  const postmaster = postmasterFile(dataDir).pid;
  const kept = undo.move();
  return {
    get server() {
      return server;
    },
    async restartServer() {
      const { port } = server;
      await server.stop();
      server = await startServer({ ...options, port });
    },
    async signIn() {
      const admin = new HttpPerson(server.url);
      await admin.signIn();
      return admin;
    },
    postgres,
    keys: deriveKeys(SECRET_KEY),
    machine: { ...describeMachine(), disk, versions: { PostgreSQL: postgres.version } },
    get processes() {
      const isLinux = process.platform === 'linux';
      return isLinux ? { app: server.pid, postmaster } : { app: 0, postmaster: 0 };
    },
    use: (started) => kept.use(started),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A part with the processor shares of all processors, 0 to 1; `null` without /proc. */
export type MeasuredPart = Part & { shares: PartShares | null };

interface PartShares {
  app: number;
  postgres: number;
  load: number;
  /** Unrelated programs. */
  other: number;
}

/** Runs a part and measures its processor shares. */
export async function measurePart(
  processes: Processes,
  work: () => Promise<Part>,
): Promise<MeasuredPart> {
  const { result, spent } = await spentDuring(processes, work);
  const shares = spent && {
    app: spent.app / spent.available,
    postgres: spent.postgres / spent.available,
    load: result.loadMicros / spent.available,
    other: otherShareOf(spent),
  };
  return { ...result, shares: shares ?? null };
}

/** The limit of open files per process; `null` without /proc. */
export function descriptorLimit(): number | null {
  if (process.platform !== 'linux') return null;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

/** Number of processes needed, on each side, for this many connections. */
export function processesFor(connections: number): number {
  const limit = descriptorLimit() ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(connections / (limit - OTHER_DESCRIPTORS)));
}

/** @throws CannotRun when a process cannot have this many connections */
export function requireDescriptors(connections: number): void {
  const limit = descriptorLimit();
  if (limit !== null && limit < connections + OTHER_DESCRIPTORS) {
    throw new CannotRun(
      `a process may open ${limit} files, ${connections + OTHER_DESCRIPTORS} are needed: ulimit -n ${connections * 2}`,
    );
  }
}
