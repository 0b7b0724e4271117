import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { adminRecoveryCodes, admins, adminTotp, signInPolicy } from '../schema/sign-in.ts';

export type TotpRow = typeof adminTotp.$inferSelect;

/** The second step of an administrator, also while it is being set up. */
export async function findTotp(db: Queryable, adminId: string): Promise<TotpRow | undefined> {
  const [row] = await db.select().from(adminTotp).where(eq(adminTotp.adminId, adminId));
  return row;
}

/**
 * Locks an administrator until the transaction ends. Opening a session, changing the password, every
 * change of the second step and deletion take this lock first, so they run one after the other and
 * each sees what the one before it committed. `undefined` once the administrator is deleted.
 */
export async function lockAdmin(
  tx: Tx,
  adminId: string,
): Promise<{ passwordHash: string } | undefined> {
  const [row] = await tx
    .select({ passwordHash: admins.passwordHash })
    .from(admins)
    .where(eq(admins.id, adminId))
    .for('no key update');
  return row;
}

/** Stores a secret that waits for its first code, replacing an earlier waiting one. */
export async function putUnconfirmedTotp(
  tx: Tx,
  adminId: string,
  sealedSecret: Buffer,
  now: Date,
): Promise<void> {
  const set = { sealedSecret, createdAt: now, confirmedAt: null, lastStep: null };
  await tx
    .insert(adminTotp)
    .values({ adminId, ...set })
    .onConflictDoUpdate({ target: adminTotp.adminId, set });
}

export async function setTotpConfirmed(tx: Tx, adminId: string, step: number, now: Date) {
  await tx
    .update(adminTotp)
    .set({ confirmedAt: now, lastStep: step })
    .where(eq(adminTotp.adminId, adminId));
}

/** Uses up a code and those before it. False when it was used: of two concurrent uses, one succeeds. */
export async function consumeStep(db: Queryable, adminId: string, step: number): Promise<boolean> {
  const taken = await db
    .update(adminTotp)
    .set({ lastStep: step })
    .where(
      and(
        eq(adminTotp.adminId, adminId),
        isNotNull(adminTotp.confirmedAt),
        or(isNull(adminTotp.lastStep), lt(adminTotp.lastStep, step)),
      ),
    )
    .returning({ adminId: adminTotp.adminId });
  return taken.length === 1;
}

/** Removes the second step with its recovery codes. */
export async function deleteTotp(tx: Tx, adminId: string): Promise<void> {
  await tx.delete(adminRecoveryCodes).where(eq(adminRecoveryCodes.adminId, adminId));
  await tx.delete(adminTotp).where(eq(adminTotp.adminId, adminId));
}

export async function replaceRecoveryCodes(tx: Tx, adminId: string, hashes: Buffer[]) {
  await tx.delete(adminRecoveryCodes).where(eq(adminRecoveryCodes.adminId, adminId));
  await tx.insert(adminRecoveryCodes).values(hashes.map((codeHash) => ({ adminId, codeHash })));
}

/** Uses up a recovery code. False when it does not exist, or no longer. */
export async function consumeRecoveryCode(
  db: Queryable,
  adminId: string,
  codeHash: Buffer,
): Promise<boolean> {
  const taken = await db
    .delete(adminRecoveryCodes)
    .where(and(eq(adminRecoveryCodes.adminId, adminId), eq(adminRecoveryCodes.codeHash, codeHash)))
    .returning({ adminId: adminRecoveryCodes.adminId });
  return taken.length === 1;
}

export const countRecoveryCodes = (db: Queryable, adminId: string): Promise<number> =>
  db.$count(adminRecoveryCodes, eq(adminRecoveryCodes.adminId, adminId));

export async function putSignInPolicy(
  tx: Tx,
  set: Omit<typeof signInPolicy.$inferSelect, 'one'>,
): Promise<void> {
  await tx.insert(signInPolicy).values(set).onConflictDoUpdate({ target: signInPolicy.one, set });
}

/** How many administrators have a second step. */
export const countTotp = (db: Queryable): Promise<number> =>
  db.$count(adminTotp, isNotNull(adminTotp.confirmedAt));
