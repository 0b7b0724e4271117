import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { StartProblem } from '../../runtime/app-error.ts';
import { holdingLock } from '../advisory-locks.ts';
import { isHeld } from '../database-away.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The hashes of all migrations that this version knows, in order. */
export const OURS: readonly string[] = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(
  ({ hash }) => hash,
);

/**
 * How long a table change may wait in the queue for its lock. Everything behind it waits as well,
 * including saves of processes that still serve: as long as a save may take.
 */
const LOCK_WITHIN_MS = 2_000;
/** Lets those catch up before the next try. */
const PAUSE_MS = 3_000;

/**
 * Brings the schema up to date. Drizzle's own migrator has no lock, and processes that start together
 * collide in it. Long readers of a table (a backup, `pg_dump`) are waited for without a limit, between
 * the tries and not in the queue, and this is logged.
 *
 * @param signal ends the waiting
 * @throws StartProblem when the schema has foreign migrations
 */
export async function migrate(
  pool: pg.Pool,
  log: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
): Promise<void> {
  await holdingLock(pool, 'migration', async (client) => {
    await requireOurs(client);
    await client.query(`set lock_timeout = ${LOCK_WITHIN_MS}`);
    for (;;) {
      try {
        return await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
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

const TOO_OLD =
  'The data were made by an earlier version of Invigil that this one cannot take over. Use that version, or select an empty DATA_DIR or DATABASE_URL.';

/** The applied migrations must be the beginning of ours: only then do the next ones fit. */
async function requireOurs(client: pg.Client): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (found[0]?.there !== true) return;
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  );
  // More than ours: a newer version serves the same database, as during an upgrade.
  const known = rows.slice(0, OURS.length);
  if (known.some(({ hash }, at) => hash !== OURS[at])) throw new StartProblem(TOO_OLD);
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

const Journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) });

/** Migrates to the first `count` migrations: for a backup of an earlier version. */
export async function migrateTo(client: pg.Client, count: number): Promise<void> {
  if (count === OURS.length) {
    return applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
  }
  // Drizzle takes a folder and applies what its journal lists.
  const folder = mkdtempSync(join(tmpdir(), 'invigil-migrations-'));
  try {
    const journal = Journal.parse(
      JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')),
    );
    const entries = journal.entries.slice(0, count);
    for (const { tag } of entries) {
      symlinkSync(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`));
    }
    await mkdir(join(folder, 'meta'));
    const text = JSON.stringify({ ...journal, entries });
    await writeFile(join(folder, 'meta', '_journal.json'), text);
    await applyMigrations(drizzle(client), { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
