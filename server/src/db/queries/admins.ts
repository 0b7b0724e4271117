import { emailSpellings } from '@invigil/core/domain/email-address';
import { type Grant, may, type Place } from '@invigil/core/domain/rights';
import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { admins, adminTotp, passwordResets } from '../schema/sign-in.ts';

export type NewAdmin = typeof admins.$inferSelect;

/** An administrator, and whether two-step sign-in is on. */
export type AdminRow = NewAdmin & { hasTotp: boolean };

export const countAdmins = (db: Queryable): Promise<number> => db.$count(admins);

/** Locks the table until the transaction ends, for decisions about the first and the last admin. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`);
}

function selectAdmins(db: Queryable) {
  return db
    .select({
      ...getTableColumns(admins),
      hasTotp: sql<boolean>`${adminTotp.adminId} is not null`,
    })
    .from(admins)
    .leftJoin(adminTotp, and(eq(adminTotp.adminId, admins.id), isNotNull(adminTotp.confirmedAt)));
}

export function listAdmins(db: Queryable): Promise<AdminRow[]> {
  return selectAdmins(db).orderBy(asc(admins.createdAt), asc(admins.id));
}

/**
 * The others who are to know what someone did with one-time passwords of an assessment: those who may invite
 * to it or give roles on it.
 */
export async function listWatchers(db: Queryable, by: string, place: Place): Promise<AdminRow[]> {
  const concerns = (grants: readonly Grant[]) =>
    may(grants, 'people.invite', place) || may(grants, 'team.edit', place);
  return (await listAdmins(db)).filter(({ id, grants }) => id !== by && concerns(grants));
}

/** The addresses of some administrators, by their ids. */
export async function listAdminEmails(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: admins.id, email: admins.email })
    .from(admins)
    .where(inArray(admins.id, [...ids]));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export async function findAdmin(db: Queryable, id: string): Promise<AdminRow | undefined> {
  const [row] = await selectAdmins(db).where(eq(admins.id, id));
  return row;
}

/** Stores an administrator; false when the address exists already, in any case. */
export async function insertAdmin(tx: Queryable, row: NewAdmin): Promise<boolean> {
  const isAny = inArray(sql`lower(${admins.email})`, emailSpellings(row.email));
  const [same] = await tx.select({ id: admins.id }).from(admins).where(isAny);
  if (same) return false;
  const inserted = await tx.insert(admins).values(row).onConflictDoNothing().returning();
  return inserted.length === 1;
}

/** Deletes an administrator; the row's sessions are deleted with it. */
export async function deleteAdmin(tx: Tx, id: string): Promise<void> {
  await tx.delete(admins).where(eq(admins.id, id));
}

/** Roles are sealed: change them within `changeSealed`. */
export async function setAdmin(
  tx: Queryable,
  id: string,
  set: Partial<Pick<NewAdmin, 'name' | 'grants' | 'language'>>,
): Promise<void> {
  await tx.update(admins).set(set).where(eq(admins.id, id));
}

export async function setPasswordHash(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.update(admins).set({ passwordHash }).where(eq(admins.id, id));
}

/** Stores a reset link of an administrator, replacing an earlier one. */
export async function putPasswordReset(
  tx: Tx,
  row: typeof passwordResets.$inferInsert,
): Promise<void> {
  const { adminId: _, ...set } = row;
  await tx.insert(passwordResets).values(row).onConflictDoUpdate({
    target: passwordResets.adminId,
    set,
  });
}

/** The reset links that were neither used nor have expired; at most one of each administrator. */
export function listPasswordResets(db: Queryable, now: Date) {
  return db
    .select({ ...getTableColumns(passwordResets), email: admins.email })
    .from(passwordResets)
    .innerJoin(admins, eq(admins.id, passwordResets.adminId))
    .where(gt(passwordResets.expiresAt, now));
}

/** Voids the reset link of an administrator. */
export async function deletePasswordReset(tx: Tx, adminId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.adminId, adminId));
}
