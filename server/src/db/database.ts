import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import * as schema from './schema.ts';

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Where a query may run: on its own, or inside a transaction. */
export type Queryable = Database | Tx;

export function openDatabase(pool: pg.Pool): Database {
  return drizzle(pool, { schema });
}

/** Registers something to do once the transaction has committed: mail, live frames, success logs. */
export type AfterCommit = (task: () => void) => void;

/**
 * Runs `work` in one transaction (read committed) and its after-commit tasks when, and only when,
 * the commit succeeded. Throws what `work` throws, after a rollback.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
  const tasks: (() => void)[] = [];
  const result = await db.transaction((tx) => work(tx, (task) => tasks.push(task)));
  for (const task of tasks) task();
  return result;
}

/** Runs `work` on one unchanging view of the database; it cannot write. */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** The only row of an `insert … returning` or of a lookup that cannot miss. */
export function onlyRow<T>(rows: T[]): T {
  const row = rows[0];
  if (row === undefined) throw new Error('a row was expected and none came back');
  return row;
}
