import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.ts';

/** A list in portions of a size, in its order. */
export function portionsOf<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** A statement has at most 65,535 parameters. */
const INSERTED_AT_A_TIME = 1_000;

/**
 * Inserts any number of rows, in several statements: call it in a transaction.
 *
 * @param isIfNew leaves out rows that clash with stored ones
 */
export async function insertInPortions<T extends PgTable>(
  db: Queryable,
  table: T,
  rows: readonly T['$inferInsert'][],
  { isIfNew = false } = {},
): Promise<void> {
  for (const some of portionsOf(rows, INSERTED_AT_A_TIME)) {
    const insert = db.insert(table).values(some);
    await (isIfNew ? insert.onConflictDoNothing() : insert);
  }
}

const DELETED_AT_A_TIME = 5_000;

/**
 * Deletes rows in portions, each in its own statement, so that no backlog exceeds the time limit of a
 * statement. A row that is being changed stays for the next run. Returns how many were deleted.
 */
export async function deleteInPortions(
  db: Queryable,
  table: PgTable,
  where: SQL,
  atATime = DELETED_AT_A_TIME,
): Promise<number> {
  return workInPortions(atATime, async () => {
    const { rowCount } = await db.execute(sql`
      delete from ${table}
      where ctid = any (array(select ctid from ${table} where ${where} limit ${atATime}))`);
    return rowCount ?? 0;
  });
}

/**
 * Repeats work on up to so many at a time until there are fewer; returns how many there were.
 *
 * @param stop ends it after the portion under way; the next run does the rest
 */
export async function workInPortions(
  atATime: number,
  work: () => Promise<number>,
  stop?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (;;) {
    const n = await work();
    done += n;
    if (n < atATime || stop?.aborted) return done;
  }
}
