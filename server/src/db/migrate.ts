import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';

/** Any number that no other user of advisory locks in the same database takes. */
const MIGRATION_LOCK = 7_302_118;

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Brings the schema up to date. Drizzle's own migrator has no lock, and processes that start
 * together collide in it; so one connection holds an advisory lock the whole time.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}
