import { count, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../db/database.ts';
import { admins } from '../../db/schema.ts';

export type AdminRow = typeof admins.$inferSelect;

export async function countAdmins(db: Queryable): Promise<number> {
  return onlyRow(await db.select({ n: count() }).from(admins)).n;
}

/** Holds the table until the transaction ends: the first and the last admin are decided alone. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`);
}

export async function insertAdmin(tx: Queryable, row: AdminRow): Promise<void> {
  await tx.insert(admins).values(row);
}
