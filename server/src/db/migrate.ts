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
import { holdingLock } from './advisory-locks.ts';
import { isHeld } from './database-away.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The hashes of all migrations that this version knows, in order. */
export const OURS: readonly string[] = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(
  ({ hash }) => hash,
);

/**
 * How long a change of a table stands in the queue for its lock. Whoever comes after it stands behind
 * it, every save of the processes that still serve among them: as long as a save may take.
 */
const LOCK_WITHIN_MS = 2_000;
/** For those to catch up, before it is tried again. */
const PAUSE_MS = 3_000;

/**
 * Brings the schema up to date. Drizzle's own migrator has no lock, and processes that start
 * together collide in it. Whoever reads a table for long (a backup, `pg_dump`) is waited for as long
 * as it takes, between the tries and not in the queue, and the log says so.
 *
 * @param signal ends the waiting
 */
export async function migrate(
  pool: pg.Pool,
  log: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
): Promise<void> {
  await holdingLock(pool, 'migration', async (client) => {
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

/** Transactions that have been open for as long as we waited, the oldest first. */
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

/** Brings the schema to its first `count` migrations: for a backup of an earlier version. */
export async function migrateTo(client: pg.Client, count: number): Promise<void> {
  if (count === OURS.length) {
    return applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
  }
  // Drizzle takes a folder and applies what its journal names.
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
