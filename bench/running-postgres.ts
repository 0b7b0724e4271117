import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPool, WITHOUT_TIME_LIMITS } from '../server/src/db/connection/pool.ts';
import { processesWorkingIn } from '../server/src/db/embedded-postgres/process-table.ts';
import { superuserConnection } from '../server/src/db/embedded-postgres/roles.ts';
import { silentLog } from '../server/src/testing/silent-log.ts';

/** The database of a running server, for someone who may do everything. */
export interface RunningPostgres {
  connection: ReturnType<typeof superuserConnection>;
  version: string;
  query(sql: string): Promise<void>;
  /** The column `n` of the only row. */
  count(sql: string): Promise<number>;
  /** The column `text` of all rows. */
  texts(sql: string): Promise<string[]>;
}

/** Connects to a database of the embedded PostgreSQL on this data folder; without a name the usual one. */
export async function openPostgres(
  dataDir: string,
  database = 'invigil',
): Promise<{ postgres: RunningPostgres; end(): Promise<void> }> {
  const connection = {
    ...superuserConnection(postmasterFile(dataDir).socketFolder),
    database,
  };
  const pool = openPool(connection, silentLog);
  // What is loaded here takes as long as it takes; before the first connection.
  Object.assign(pool.options, WITHOUT_TIME_LIMITS);
  const { rows } = await pool.query<{ server_version: string }>('show server_version');
  const postgres: RunningPostgres = {
    connection,
    version: rows[0]?.server_version.split(' ', 1)[0] ?? '',
    query: async (sql) => void (await pool.query(sql)),
    count: async (sql) => Number((await pool.query<{ n: string }>(sql)).rows[0]?.n),
    texts: async (sql) => (await pool.query<{ text: string }>(sql)).rows.map(({ text }) => text),
  };
  return { postgres, end: () => pool.end() };
}

/** Asks one question of a database, with a connection of its own. */
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

/** To every process of the PostgreSQL on this cluster. */
export function signalPostgres(cluster: string, signal: NodeJS.Signals): void {
  for (const { pid } of processesWorkingIn(cluster)) signalTo(pid, signal);
}

/** A process of the database may end by itself between the look and the signal. */
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
