import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.ts';

const AT_A_TIME = 5_000;

/**
 * Deletes rows a portion at a time, each in a statement of its own: whatever has piled up, none of
 * them comes near the time limit of a statement. A row that someone changes just then stays for the
 * next time. Returns how many there were.
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
