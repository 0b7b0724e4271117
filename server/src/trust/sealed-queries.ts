import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { onlyRow, type Queryable, type Tx } from '../db/database.ts';
import { keyColumns } from '../db/queries/questions.ts';
import { questionVersions } from '../db/schema/assessments.ts';
import { certificates, participants } from '../db/schema/attempts.ts';
import { auditEntries, auditHead } from '../db/schema/installation.ts';
import { smtpSettings } from '../db/schema/mail.ts';
import { evidence } from '../db/schema/monitoring.ts';
import { sessions } from '../db/schema/sessions.ts';
import { admins, adminTotp, pendingSignIns, signInPolicy } from '../db/schema/sign-in.ts';

/** Selects rows: some by their ids, or the next ones by id. */
export type Wanted =
  | { ids: readonly string[] }
  /** `null`: from the first one */
  | { after: string | null; limit: number };

export function wanted(id: PgColumn, which: Wanted): SQL | undefined {
  const typed = (text: string) => (id.dataType === 'boolean' ? text === 'true' : text);
  if ('ids' in which) return inArray(id, which.ids.map(typed));
  return which.after === null ? undefined : gt(id, typed(which.after));
}

/** Selects rows by a uuid and a number: `<uuid>/<number>`. */
export function wantedPair(first: PgColumn, second: PgColumn, which: Wanted): SQL | undefined {
  const parts = (id: SQL) => sql`split_part(${id}, '/', 1)::uuid, split_part(${id}, '/', 2)::int`;
  if ('ids' in which) {
    return sql`(${first}, ${second}) in (select ${parts(sql`i`)} from unnest(${sql.param([...which.ids])}::text[]) i)`;
  }
  if (which.after === null) return undefined;
  return sql`(${first}, ${second}) > (${parts(sql`${which.after}::text`)})`;
}

export const limitOf = (which: Wanted) =>
  'ids' in which ? Math.max(which.ids.length, 1) : which.limit;

export function listAdminsToSeal(db: Queryable, which: Wanted) {
  return db
    .select({ admin: admins, totp: adminTotp })
    .from(admins)
    .leftJoin(adminTotp, eq(adminTotp.adminId, admins.id))
    .where(wanted(admins.id, which))
    .orderBy(asc(admins.id))
    .limit(limitOf(which));
}

/** Sessions of administrators that have not ended. */
export function listSessionsToSeal(db: Queryable, which: Wanted) {
  return db
    .select()
    .from(sessions)
    .where(and(isNotNull(sessions.adminId), isNull(sessions.endedAt), wanted(sessions.id, which)))
    .orderBy(asc(sessions.id))
    .limit(limitOf(which));
}

/** Ended attempts, and those that have a seal although they have not ended. */
export function listResultsToSeal(db: Queryable, which: Wanted) {
  return db
    .select()
    .from(participants)
    .where(
      and(
        or(ne(participants.status, 'in_progress'), isNotNull(participants.resultSeal)),
        wanted(participants.id, which),
      ),
    )
    .orderBy(asc(participants.id))
    .limit(limitOf(which));
}

/** Versions of questions, by question and number. An id is `<uuid>/<version>`. */
export function listVersionsToSeal(db: Queryable, which: Wanted) {
  const { questionId, version } = questionVersions;
  return db
    .select({ ...keyColumns, questionVersion: version })
    .from(questionVersions)
    .where(wantedPair(questionId, version, which))
    .orderBy(asc(questionId), asc(version))
    .limit(limitOf(which));
}

/** Evidence that is stored, or whose seal shows that it was. */
export function listEvidenceToSeal(db: Queryable, which: Wanted) {
  return db
    .select()
    .from(evidence)
    .where(
      and(or(isNotNull(evidence.storedAt), isNotNull(evidence.seal)), wanted(evidence.id, which)),
    )
    .orderBy(asc(evidence.id))
    .limit(limitOf(which));
}

export function listCertificatesToSeal(db: Queryable, which: Wanted) {
  return db
    .select()
    .from(certificates)
    .where(wanted(certificates.number, which))
    .orderBy(asc(certificates.number))
    .limit(limitOf(which));
}

export async function findPolicyToSeal(db: Queryable) {
  const [row] = await db.select().from(signInPolicy);
  return row;
}

export interface SealPlace {
  table: string;
  column: string;
  /** The condition that row `t` of the table has the id `r.id`, a text. */
  isRow: string;
}

export async function putSeals(
  tx: Tx,
  { table, column, isRow }: SealPlace,
  rows: readonly { id: string; seal: Buffer }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${sql.identifier(table)} t set ${sql.identifier(column)} = r.seal
    from unnest(${sql.param(rows.map((row) => row.id))}::text[],
      ${sql.param(rows.map((row) => row.seal))}::bytea[]) as r(id, seal)
    where ${sql.raw(isRow)}`);
}

/** Whether the installation was never used: there is neither an administrator nor an attempt. */
export async function isUnused(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ unused: boolean }>(sql`
    select not exists (select from ${admins}) and not exists (select from ${participants})
      and not exists (select from ${auditEntries}) as unused`);
  return onlyRow(rows).unused;
}

/** Signs every administrator out; sign-ins that wait for a second step must start over. */
export async function deleteAdminSessions(tx: Tx): Promise<void> {
  await tx.delete(sessions).where(isNotNull(sessions.adminId));
  await tx.delete(pendingSignIns);
}

/** Removes every entry from the audit chain, which restarts from the first one. */
export async function dissolveChain(tx: Tx): Promise<void> {
  await tx.update(auditEntries).set({ number: null, hash: null });
  await tx.delete(auditHead);
}

/** Administrators added by an entry of the log who are missing without an entry. */
export async function listVanishedAdmins(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select e.subject_id as id from ${auditEntries} e
    where e.action = 'admin.added' and e.subject_id is not null
      and not exists (select from ${admins} a where a.id = e.subject_id)
      and not exists (select from ${auditEntries} d
        where d.subject_id = e.subject_id and d.action = 'admin.deleted')
    order by 1`);
  return rows.map((row) => row.id);
}

/** The last log entry about requiring the second step, with its time. */
export async function findLoggedPolicy(db: Queryable) {
  const [row] = await db
    .select({ at: auditEntries.at, details: auditEntries.details })
    .from(auditEntries)
    .where(eq(auditEntries.action, 'sign_in_policy.changed'))
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(1);
  return row;
}

/** Stores that nothing is required, if nothing was ever stored: a missing row means a deleted one. */
export async function insertDefaultPolicy(tx: Tx, now: Date): Promise<void> {
  await tx
    .insert(signInPolicy)
    .values({ totpRequired: false, updatedAt: now })
    .onConflictDoNothing();
}

/** The kinds that were sealed as they were, without a check, by entries of the log. */
export async function listSealedSince(db: Queryable): Promise<{ kinds: string[] | null }[]> {
  const { rows } = await db.execute<{ kinds: string[] | null }>(sql`
    select details -> 'kinds' as kinds from ${auditEntries}
    where action in ('trust.extended', 'trust.accepted', 'secret_key.lost')`);
  return rows;
}

export const listMailPasswords = (tx: Tx) => tx.select().from(smtpSettings);

export async function setMailPassword(tx: Tx, id: string, sealedPassword: Buffer): Promise<void> {
  await tx.update(smtpSettings).set({ sealedPassword }).where(eq(smtpSettings.id, id));
}
