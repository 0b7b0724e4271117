import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import type { Logger } from 'pino';
import { StartProblem } from '../../runtime/app-error.ts';
import { holdingLock } from '../advisory-locks.ts';
import { isHeld } from '../database-away.ts';

/** All migrations that this version knows, in order. */
export const MIGRATIONS: readonly MigrationMeta[] = readMigrationFiles({
  migrationsFolder: fileURLToPath(new URL('../../../migrations', import.meta.url)),
});

/**
 * How long a table change may wait in the queue for its lock. Everything behind it waits as well,
 * including saves of processes that still serve: as long as a save may take.
 */
const LOCK_WITHIN_MS = 2_000;
/** Lets those catch up before the next try. */
const PAUSE_MS = 3_000;

const FOREIGN =
  'The data were made by a development version of Invigil, from before 1.0.0, and cannot be upgraded. They are unchanged. Select an empty DATA_DIR or DATABASE_URL.';

/**
 * Brings the schema up to date. Processes that start together do so one after the other. Long readers of a
 * table (a backup, `pg_dump`) are waited for without a limit, between the tries and not in the queue, and
 * this is logged.
 *
 * @param signal ends the waiting
 * @throws StartProblem when the schema has foreign migrations
 */
export async function migrate(
  pool: pg.Pool,
  log: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
  migrations = MIGRATIONS,
): Promise<void> {
  await holdingLock(pool, 'migration', async (client) => {
    const applied = await listApplied(client);
    // More than ours: a newer version serves the same database, as during an upgrade.
    const isOurs = migrations.every(({ hash }, i) => i >= applied.length || hash === applied[i]);
    if (!isOurs) throw new StartProblem(FOREIGN);
    await client.query(`set lock_timeout = ${LOCK_WITHIN_MS}`);
    for (;;) {
      try {
        return await applyMigrations(client, migrations);
      } catch (error) {
        if (!isHeld(error)) throw error;
        log.warn(
          { holders: await listHolders(client) },
          'The database cannot be brought up to date while something else reads its tables; trying again',
        );
        await delay(PAUSE_MS, undefined, signal === undefined ? {} : { signal });
      }
    }
  });
}

/** The hashes of the applied migrations; none in a database that was never used by Invigil. */
export async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (found[0]?.there !== true) return [];
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  );
  return rows.map(({ hash }) => hash);
}

/** Applies those that are missing, in one transaction, and records them where drizzle-kit expects it. */
export async function applyMigrations(
  client: pg.Client,
  migrations: readonly MigrationMeta[],
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`create schema if not exists drizzle;
      create table if not exists drizzle.__drizzle_migrations
        (id serial primary key, hash text not null, created_at bigint)`);
    const { length } = await listApplied(client);
    for (const { sql, hash, folderMillis } of migrations.slice(length)) {
      for (const statement of sql) await client.query(statement);
      await client.query(
        'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
        [hash, folderMillis],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Transactions that have been open for as long as we waited, oldest first. */
async function listHolders(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ holder: string }>(
    `select format('%s (process %s, for %s s)', coalesce(nullif(application_name, ''), 'unnamed'),
       pid, extract(epoch from now() - xact_start)::int) as holder
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and xact_start < now() - $1 * interval '1 millisecond'
     order by xact_start limit 5`,
    [LOCK_WITHIN_MS],
  );
  return rows.map(({ holder }) => holder);
}
