import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../db/database.ts';
import { cancelLinkMail } from '../db/queries/outbox.ts';
import { participants } from '../db/schema/attempts.ts';
import { keyCheck } from '../db/schema/installation.ts';
import { invitationCodes, previewCodes } from '../db/schema/invitations.ts';
import { outbox } from '../db/schema/mail.ts';
import { sessions } from '../db/schema/sessions.ts';
import { adminRecoveryCodes, passwordResets, pendingSignIns } from '../db/schema/sign-in.ts';

export interface SealedColumn {
  table: string;
  id: string;
  column: string;
  /** Other columns that its values belong to. */
  boundTo?: readonly string[];
  /** Name of the values in messages. */
  what: string;
}

/**
 * Every such column. A value is bound to `<table>/<id>`, and to other columns where `boundTo` names some. A
 * new one has to be added here; a test compares this list with the database's columns.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'admin_totp', id: 'admin_id', column: 'sealed_secret', what: 'two-step secrets' },
  { table: 'users', id: 'id', column: 'sealed_key', what: 'keys of persons' },
  {
    table: 'evidence_keys',
    id: 'participant_id',
    column: 'sealed_key',
    what: 'keys of evidence',
  },
  { table: 'outbox', id: 'id', column: 'sealed_code', what: 'waiting one-time passwords' },
  {
    ...{ table: 'smtp_settings', id: 'id', column: 'sealed_password' },
    boundTo: ['host', 'port', 'username', 'from_email'],
    what: 'mail server passwords',
  },
];

export interface SealedRow {
  id: string;
  sealed: Buffer;
  /** Values of the other columns that it is bound to. */
  bound: string[];
}

/** The next encrypted values of a column in the order of their ids. */
export async function nextSealed(
  db: Queryable,
  { table, id, column, boundTo = [] }: SealedColumn,
  after: string | null,
  limit: number,
): Promise<SealedRow[]> {
  const key = sql.identifier(id);
  const bound = boundTo.map((name) => sql`${sql.identifier(name)}::text`);
  const { rows } = await db.execute<{ id: string; sealed: Buffer; bound: string[] }>(sql`
    select ${key} as id, ${sql.identifier(column)} as sealed,
      array[${sql.join(bound, sql`, `)}]::text[] as bound
    from ${sql.identifier(table)}
    where ${sql.identifier(column)} is not null
      ${after === null ? sql`` : sql`and ${key} > ${after}::uuid`}
    order by ${key} limit ${limit}`);
  return rows;
}

export async function putSealed(
  tx: Tx,
  { table, id, column }: SealedColumn,
  rows: readonly Pick<SealedRow, 'id' | 'sealed'>[],
): Promise<void> {
  await tx.execute(sql`
    update ${sql.identifier(table)} t set ${sql.identifier(column)} = r.sealed
    from unnest(${sql.param(rows.map((row) => row.id))}::uuid[],
      ${sql.param(rows.map((row) => row.sealed))}::bytea[]) as r(id, sealed)
    where t.${sql.identifier(id)} = r.id`);
}

export async function findKeyCheck(db: Queryable): Promise<Buffer | null> {
  const [row] = await db.select().from(keyCheck);
  return row?.sealedWord ?? null;
}

/** Whether the table exists: not in the database of another application. */
export async function hasKeyCheck(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ there: boolean }>(
    sql`select to_regclass('key_check') is not null as there`,
  );
  return onlyRow(rows).there;
}

export async function putKeyCheck(db: Queryable, sealedWord: Buffer, madeAt: Date): Promise<void> {
  const set = { sealedWord, madeAt };
  await db.insert(keyCheck).values(set).onConflictDoUpdate({ target: keyCheck.one, set });
}

/** Connected server processes, found by the name of their connections (pool.ts). */
export async function countServing(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'invigil' and pid <> pg_backend_pid()`);
  return onlyRow(rows).n;
}

export async function countInProgress(db: Queryable): Promise<number> {
  const rows = await db
    .select({ n: count() })
    .from(participants)
    .where(eq(participants.status, 'in_progress'));
  return onlyRow(rows).n;
}

/** Hashes queued codes with the new key, so that they work when they arrive. */
export async function putCodeHashes(
  tx: Tx,
  codes: readonly { messageId: string; codeHash: Buffer }[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update ${invitationCodes} c set code_hash = h.code_hash
    from unnest(${sql.param(codes.map((one) => one.messageId))}::uuid[],
        ${sql.param(codes.map((one) => one.codeHash))}::bytea[]) as h(message_id, code_hash)
      join ${outbox} o on o.id = h.message_id
    where c.id = o.code_id
    returning c.id`);
  return rows.map((row) => row.id);
}

/**
 * Deletes links to set a password and the codes of test invitations, which are hashed with the old key, and
 * cancels the mail that would still bring one.
 */
export async function endLinks(tx: Tx, linkKinds: readonly string[]): Promise<void> {
  await tx.delete(passwordResets);
  await tx.delete(previewCodes);
  await cancelLinkMail(tx, linkKinds, 'key_changed');
}

/**
 * Revokes what was hashed with the old key and can no longer be verified: one-time passwords except
 * `kept`, recovery codes, sessions, pending second steps. Returns the number of one-time passwords.
 */
export async function revokeHashed(tx: Tx, kept: readonly string[], now: Date): Promise<number> {
  const revoked = await tx
    .update(invitationCodes)
    .set({ revokedAt: now })
    .where(
      and(
        isNull(invitationCodes.revokedAt),
        sql`${invitationCodes.id} <> all (${sql.param([...kept])}::uuid[])`,
      ),
    );
  await tx.delete(adminRecoveryCodes);
  // Sealed with the old key too: left over, they would be reported as written by another.
  await tx.delete(sessions);
  await tx.delete(pendingSignIns);
  return revoked.rowCount ?? 0;
}
