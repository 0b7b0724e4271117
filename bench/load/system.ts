import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPool, WITHOUT_TIME_LIMITS } from '../../server/src/db/connection/pool.ts';
import { startEmbeddedPostgres } from '../../server/src/db/embedded-postgres/supervisor.ts';
import { deriveKeys, type Keys } from '../../server/src/security/keys.ts';
import { type RunningServer, startServer } from '../../server/src/testing/running-server.ts';
import { silentLog } from '../../server/src/testing/silent-log.ts';
import { ADMIN } from '../answer-path/start-candidates.ts';
import { CannotRun } from '../benchmark.ts';
import { type Disk, describeDisk } from '../machine.ts';
import { openPostgres, postmasterFile, type RunningPostgres } from '../running-postgres.ts';

/** In the checkout, because the system's temporary folder is often in memory. */
const DATA = fileURLToPath(new URL('../data/', import.meta.url));
/** Fixed, so that codes and sessions can be written in bulk. */
const SECRET_KEY = 'a secret of the benchmarks, 32 characters and more';
/** Files and database connections of a process, besides one connection per candidate. */
const OTHER_DESCRIPTORS = 300;

/** One app process and its PostgreSQL. */
export interface LoadSystem extends AsyncDisposable {
  readonly server: RunningServer;
  /** Restarts the server at the same address; only with an external database. */
  restartServer(): Promise<void>;
  postgres: RunningPostgres;
  /** Connects as the database's owner, without timeouts. */
  pool: ReturnType<typeof openPool>;
  keys: Keys;
  disk: Disk;
  /** Process ids; zeros without /proc. */
  readonly processes: { app: number; postmaster: number };
}

export interface LoadSystemSettings {
  /** `external`: a separate server, passed as DATABASE_URL. Durable settings in both cases. */
  database: 'external' | 'embedded';
  name: string;
  env?: Record<string, string>;
  nodeArgs?: string[];
  /** Of an external database, for additional clients. */
  maxConnections?: number;
}

/** Starts both on a new, empty database. */
export async function startLoadSystem(settings: LoadSystemSettings): Promise<LoadSystem> {
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, `${settings.name}-`));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const disk = describeDisk(dataDir);
  const env: Record<string, string> = {
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SECRET_KEY,
    ...settings.env,
  };
  let appDir = dataDir;
  if (settings.database === 'external') {
    const { connection, stop } = await startEmbeddedPostgres({
      dataDir,
      log: silentLog,
      settings:
        settings.maxConnections === undefined
          ? {}
          : { max_connections: String(settings.maxConnections) },
    });
    undo.defer(stop);
    env.DATABASE_URL = `postgresql://${connection.user}@localhost/${connection.database}?host=${connection.host}`;
    appDir = join(dataDir, 'app');
    mkdirSync(appDir);
  }
  // For profiling, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`.
  const extraArgs = (process.env.BENCH_SERVER_NODE_ARGS ?? '').split(' ').filter(Boolean);
  const nodeArgs = [...(settings.nodeArgs ?? []), ...extraArgs];
  let server = await startServer({ dataDir: appDir, env, nodeArgs });
  undo.defer(async () => void (await server.stop()));
  const { connection: owner, version } = await inspect(dataDir);
  const pool = openPool(owner, silentLog);
  // Loading and cleanup take longer than the timeouts allow; set before the first connection.
  Object.assign(pool.options, WITHOUT_TIME_LIMITS);
  undo.defer(() => pool.end());
  const postgres: RunningPostgres = {
    connection: owner,
    version,
    query: async (sql) => void (await pool.query(sql)),
    count: async (sql) => Number((await pool.query<{ n: string }>(sql)).rows[0]?.n),
    texts: async (sql) => (await pool.query<{ text: string }>(sql)).rows.map(({ text }) => text),
  };
  const postmaster = postmasterFile(dataDir).pid;
  const kept = undo.move();
  return {
    get server() {
      return server;
    },
    async restartServer() {
      const { port } = server;
      await server.stop();
      server = await startServer({ dataDir: appDir, env, nodeArgs, port });
    },
    postgres,
    pool,
    keys: deriveKeys(SECRET_KEY),
    disk,
    get processes() {
      const isLinux = process.platform === 'linux';
      return isLinux ? { app: server.pid, postmaster } : { app: 0, postmaster: 0 };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function inspect(dataDir: string): Promise<RunningPostgres> {
  const { postgres, end } = await openPostgres(dataDir);
  await end();
  return postgres;
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
