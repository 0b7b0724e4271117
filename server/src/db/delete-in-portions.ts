import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.ts';

const AT_A_TIME = 5_000;

/**
 * Deletes rows in portions, each in its own statement, so that no backlog exceeds the time limit of a
 * statement. A row that is being changed stays for the next run. Returns how many were deleted.
 */
export async function deleteInPortions(
  db: Queryable,
  table: PgTable,
  where: SQL,
  atATime = AT_A_TIME,
): Promise<number> {
  return workInPortions(atATime, async () => {
    const { rowCount } = await db.execute(sql`
      delete from ${table}
      where ctid = any (array(select ctid from ${table} where ${where} limit ${atATime}))`);
    return rowCount ?? 0;
  });
}

/** Repeats work on up to so many at a time until there are fewer; returns how many there were. */
export async function workInPortions(
  atATime: number,
  work: () => Promise<number>,
): Promise<number> {
  let done = 0;
  for (;;) {
    const n = await work();
    done += n;
    if (n < atATime) return done;
  }
}
