import { and, eq, gt } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { admins, pendingSignIns } from '../schema/sign-in.ts';

export type PendingSignInRow = typeof pendingSignIns.$inferSelect;

/** Stores a sign-in with a right password under the hash of its token. */
export async function insertPendingSignIn(db: Queryable, row: PendingSignInRow): Promise<void> {
  await db.insert(pendingSignIns).values(row);
}

/** The owner of a pending sign-in; none once it is used or has expired. */
export async function findPendingSignIn(db: Queryable, tokenHash: Buffer, now: Date) {
  const [row] = await db
    .select({ id: admins.id, email: admins.email, row: pendingSignIns })
    .from(pendingSignIns)
    .innerJoin(admins, eq(admins.id, pendingSignIns.adminId))
    .where(and(eq(pendingSignIns.tokenHash, tokenHash), gt(pendingSignIns.expiresAt, now)));
  return row;
}

/** Uses a pending sign-in up. False when another request was faster. */
export async function claimPendingSignIn(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const taken = await tx
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.tokenHash, tokenHash))
    .returning({ adminId: pendingSignIns.adminId });
  return taken.length === 1;
}

/** Deletes the pending sign-ins of an administrator whose password or second step has changed. */
export async function deletePendingSignIns(tx: Tx, adminId: string): Promise<void> {
  await tx.delete(pendingSignIns).where(eq(pendingSignIns.adminId, adminId));
}
