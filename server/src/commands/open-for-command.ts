import pg from 'pg';
import type { Logger } from 'pino';
import { findPrimary } from '../db/connection/database-client.ts';
import { hasDatabase, runningConnection } from '../db/embedded-postgres/running.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres/supervisor.ts';
import { requireKeyToRead } from '../key-rotation/require-key.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { type Config, configFromEnvironment } from '../runtime/config.ts';
import { loadSecretKey } from '../security/secret-key.ts';

/**
 * Runs a command with the settings of the server and returns its exit code. A failure is one sentence on
 * standard error.
 *
 * @param failed says a failure that is not a StartProblem, from its message
 */
export async function runCommand(
  work: (config: Config) => Promise<number>,
  failed: (message: string, error: unknown) => string,
): Promise<number> {
  const settings = configFromEnvironment();
  if ('problems' in settings) return complain(...settings.problems);
  try {
    return await work(settings.config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return complain(error instanceof StartProblem ? message : failed(message, error));
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the exit code of a failure. */
export function complain(...lines: string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}

/** Works on the data of the settings, once the key is known to be theirs. Throws StartProblem. */
export async function withData<T>(
  config: Config,
  log: Logger,
  more: pg.PoolConfig,
  work: (pool: pg.Pool, secretKey: string) => Promise<T>,
): Promise<T> {
  const { connection, close } = await openForCommand(config, log);
  const pool = openCommandPool({ ...connection, ...more });
  try {
    const secretKey = config.secretKey ?? loadSecretKey(config.dataDir);
    await requireKeyToRead(pool, secretKey, config);
    return await work(pool, secretKey);
  } finally {
    await pool.end();
    await close();
  }
}

export interface OpenDatabase {
  connection: pg.PoolConfig;
  close(): Promise<void>;
}

/**
 * The database of the settings: an external one, that of a running server, or the embedded one, started
 * for the command.
 *
 * @param mayMake whether to create a missing embedded database: with a wrong DATA_DIR a command would
 * work on an empty one and report success
 * @throws StartProblem
 */
export async function openForCommand(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  { mayMake = false } = {},
): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    return { connection: { connectionString: await findPrimary(databaseUrl) }, close: done };
  }
  if (!mayMake) requireOwnDatabase(dataDir);
  const running = runningConnection(dataDir);
  if (running !== null && (await answers(running))) return { connection: running, close: done };
  const database = await startEmbeddedPostgres({ dataDir, log });
  return { connection: database.connection, close: () => database.stop() };
}

/** Guards commands that need an installation and create none. Throws StartProblem. */
export function requireOwnDatabase(dataDir: string): void {
  if (hasDatabase(dataDir)) return;
  throw new StartProblem(
    `There is no database in ${dataDir}. Set DATA_DIR, or DATABASE_URL, as it is set for the server.`,
  );
}

/** One connection for a command, which ends it before it closes the database. */
export function openCommandPool(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: 1 });
  // The database may stop before the last message of this connection has arrived.
  pool.on('error', () => undefined);
  return pool;
}

/** False for the stale lock file of a killed server. */
async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function done(): Promise<void> {
  // It was running before the command and continues.
}
