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
  let deleted = 0;
  for (;;) {
    const { rowCount } = await db.execute(sql`
      delete from ${table}
      where ctid = any (array(select ctid from ${table} where ${where} limit ${atATime}))`);
    const n = rowCount ?? 0;
    deleted += n;
    if (n < atATime) return deleted;
  }
}
