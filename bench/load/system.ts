import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPool, WITHOUT_TIME_LIMITS } from '../../server/src/db/connection/pool.ts';
import { startEmbeddedPostgres } from '../../server/src/db/embedded-postgres/supervisor.ts';
import { deriveKeys, type Keys } from '../../server/src/security/keys.ts';
import { type RunningServer, startServer } from '../../server/src/testing/running-server.ts';
import { silentLog } from '../../server/src/testing/silent-log.ts';
import { ADMIN } from '../answer-path/seat-candidates.ts';
import { CannotRun } from '../benchmark.ts';
import { type Disk, describeDisk } from '../machine.ts';
import { openPostgres, postmasterFile, type RunningPostgres } from '../running-postgres.ts';

/** In the checkout, because the system's folder for temporary files is often in memory. */
const DATA = fileURLToPath(new URL('../data/', import.meta.url));
/** Known here, so that codes and sessions can be written in bulk. */
const SECRET_KEY = 'a secret of the benchmarks, 32 characters and more';
/** Files and database connections of a process, besides one connection for each candidate. */
const OTHER_DESCRIPTORS = 300;

/** One app process and its PostgreSQL. */
export interface LoadSystem extends AsyncDisposable {
  readonly server: RunningServer;
  /** Ends the server in order and starts another at the same address; only beside an external database. */
  restartServer(): Promise<void>;
  postgres: RunningPostgres;
  /** As the database's owner, without time limits. */
  pool: ReturnType<typeof openPool>;
  keys: Keys;
  disk: Disk;
  /** Process ids; zeros where there is no /proc to measure them by. */
  readonly processes: { app: number; postmaster: number };
}

export interface LoadSystemSettings {
  /** `external`: a server of its own that the app gets as DATABASE_URL. Durable settings in both cases. */
  database: 'external' | 'embedded';
  name: string;
  env?: Record<string, string>;
  nodeArgs?: string[];
  /** Of an external database, for others that connect to it. */
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
  // Such as `--cpu-prof --cpu-prof-dir=/tmp/profile`, to see where the time goes.
  const asked = (process.env.BENCH_SERVER_NODE_ARGS ?? '').split(' ').filter(Boolean);
  const nodeArgs = [...(settings.nodeArgs ?? []), ...asked];
  let server = await startServer({ dataDir: appDir, env, nodeArgs });
  undo.defer(async () => void (await server.stop()));
  const { connection: owner, version } = await lookAt(dataDir);
  const pool = openPool(owner, silentLog);
  // No one waits for an answer here, and loading and tidying take longer; before the first connection.
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

async function lookAt(dataDir: string): Promise<RunningPostgres> {
  const { postgres, end } = await openPostgres(dataDir);
  await end();
  return postgres;
}

/** How many open files a process may have here; `null` where there is no /proc to ask. */
export function descriptorLimit(): number | null {
  if (process.platform !== 'linux') return null;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

/** How many processes it takes, on either side, to hold so many connections here. */
export function processesFor(connections: number): number {
  const limit = descriptorLimit() ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(connections / (limit - OTHER_DESCRIPTORS)));
}

/** @throws CannotRun when server or load generator could not hold so many connections */
export function requireDescriptors(connections: number): void {
  const limit = descriptorLimit();
  if (limit !== null && limit < connections + OTHER_DESCRIPTORS) {
    throw new CannotRun(
      `a process may open ${limit} files here and ${connections + OTHER_DESCRIPTORS} are needed: ulimit -n ${connections * 2}`,
    );
  }
}
