import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@invigil/testkit/silent-log';
import { openPool, WITHOUT_TIME_LIMITS } from '../server/src/db/connection/pool.ts';
import { processesWorkingIn } from '../server/src/db/embedded-postgres/process-table.ts';
import { superuserConnection } from '../server/src/db/embedded-postgres/roles.ts';

export interface RunningPostgres {
  connection: ReturnType<typeof superuserConnection>;
  version: string;
  /** Connects as the superuser, without timeouts. */
  pool: ReturnType<typeof openPool>;
  query(sql: string): Promise<void>;
  count(sql: string): Promise<number>;
  texts(sql: string): Promise<string[]>;
}

/** Connects to a database of the embedded PostgreSQL in this data folder. */
export async function openPostgres(
  dataDir: string,
  database = 'invigil',
): Promise<{ postgres: RunningPostgres; end(): Promise<void> }> {
  const connection = {
    ...superuserConnection(postmasterFile(dataDir).socketFolder),
    database,
  };
  const pool = openPool(connection, silentLog);
  // Loading takes longer than the timeouts allow; set before the first connection.
  Object.assign(pool.options, WITHOUT_TIME_LIMITS);
  const { rows } = await pool.query<{ server_version: string }>('show server_version');
  const postgres: RunningPostgres = {
    connection,
    version: rows[0]?.server_version.split(' ', 1)[0] ?? '',
    pool,
    query: async (sql) => void (await pool.query(sql)),
    count: async (sql) => Number((await pool.query<{ n: string }>(sql)).rows[0]?.n),
    texts: async (sql) => (await pool.query<{ text: string }>(sql)).rows.map(({ text }) => text),
  };
  return { postgres, end: () => pool.end() };
}

/** Runs `work` with its own connection to a database. */
export async function withPostgres<T>(
  dataDir: string,
  database: string | undefined,
  work: (postgres: RunningPostgres) => Promise<T>,
): Promise<T> {
  const { postgres, end } = await openPostgres(dataDir, database);
  try {
    return await work(postgres);
  } finally {
    await end();
  }
}

/** A connection for `DATABASE_URL`. */
export function urlOf(connection: { user: string; host: string; database: string }): string {
  return `postgresql://${connection.user}@localhost/${connection.database}?host=${connection.host}`;
}

/** Sends a signal to every PostgreSQL process of this cluster. */
export function signalPostgres(cluster: string, signal: NodeJS.Signals): void {
  for (const { pid } of processesWorkingIn(cluster)) signalTo(pid, signal);
}

/** Ignores a process that has just exited. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** `postmaster.pid`: the process on the first line, the socket's folder on the fifth. */
export function postmasterFile(dataDir: string): { pid: number; socketFolder: string } {
  const base = readdirSync(dataDir).includes('database-folder.txt')
    ? readFileSync(join(dataDir, 'database-folder.txt'), 'utf8').trim()
    : dataDir;
  const cluster = readdirSync(base).find((name) => /^postgres-\d+$/.test(name)) ?? '';
  const lines = readFileSync(join(base, cluster, 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' };
}
