import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  max,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { contains, containsFolded } from '../contains.ts';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { newId } from '../new-id.ts';
import { type Page, readPage } from '../page-window.ts';
import { insertInPortions } from '../portions.ts';
import { auditEntries, auditHead } from '../schema/installation.ts';
import { admins } from '../schema/sign-in.ts';

export type AuditRow = typeof auditEntries.$inferSelect;
export type AuditHeadRow = typeof auditHead.$inferSelect;

/** A new entry: who did what to whom. Details are ids and numbers only, no names or addresses (product 9). */
export type NewAuditEntry = [
  at: Date,
  adminId: string | null,
  action: string,
  subject?: readonly [type: string, id: string] | null,
  details?: Record<string, unknown> | undefined,
];

/** Stores an entry of the log. What an administrator changes is recorded by its command. */
export async function insertAudit(
  tx: Queryable,
  ...[at, adminId, action, subject, details]: NewAuditEntry
): Promise<void> {
  const [subjectType = null, subjectId = null] = subject ?? [];
  await tx
    .insert(auditEntries)
    .values({ id: newId(), at, adminId, action, subjectType, subjectId, details });
}

/** The same action on several subjects, each with details of its own. */
export async function insertAudits(
  tx: Queryable,
  at: Date,
  adminId: string | null,
  action: string,
  subjectType: string | null,
  subjects: readonly { id: string | null; details?: Record<string, unknown> | undefined }[],
): Promise<void> {
  const rows = subjects.map(({ id, details }) => {
    return { id: newId(), at, adminId, action, subjectType, subjectId: id, details };
  });
  await insertInPortions(tx, auditEntries, rows);
}

/**
 * The latest of some actions, on an object or, without one, on anything, by an administrator who is still
 * there.
 */
export async function findLastChange(
  db: Queryable,
  { actions, id }: { actions: readonly string[]; id: string | null },
): Promise<{ adminId: string; name: string; email: string } | undefined> {
  const [row] = await db
    .select({ adminId: admins.id, name: admins.name, email: admins.email })
    .from(auditEntries)
    .innerJoin(admins, eq(admins.id, auditEntries.adminId))
    .where(
      and(
        inArray(auditEntries.action, [...actions]),
        id === null ? undefined : eq(auditEntries.subjectId, id),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(1);
  return row;
}

/**
 * Who wrote the versions of a question, by number, as far as the log knows and they are still there. Those
 * who added several at once are found by the moment.
 */
export async function listVersionAuthors(
  db: Queryable,
  { questionId, quizId, addedAt }: { questionId: string; quizId: string | null; addedAt: Date },
): Promise<Map<number, { name: string; email: string }>> {
  const { action, subjectId, details } = auditEntries;
  const isOfQuestion = eq(subjectId, questionId);
  const rows = await db
    .select({
      version: sql<number>`coalesce((${details} ->> 'version')::int, 1)`,
      name: admins.name,
      email: admins.email,
    })
    .from(auditEntries)
    .innerJoin(admins, eq(admins.id, auditEntries.adminId))
    .where(
      or(
        and(isOfQuestion, eq(action, 'question.edited'), sql`${details} ? 'version'`),
        and(
          eq(auditEntries.at, addedAt),
          inArray(action, ['questions.added', 'questions.imported']),
          or(isOfQuestion, isNull(subjectId), quizId === null ? undefined : eq(subjectId, quizId)),
        ),
      ),
    );
  return new Map(rows.map(({ version, ...author }) => [version, author]));
}

export interface AuditListRow extends AuditRow {
  adminEmail: string | null;
}

/** Action and ids, or the administrator's address, contain each word; `%` is a plain character. */
function matches(search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  return or(
    containsFolded(
      sql`concat_ws(E'\n', ${auditEntries.action}, ${auditEntries.subjectType}, ${auditEntries.subjectId})`,
      search,
    ),
    // Looked up once, instead of for every entry.
    sql`${auditEntries.adminId} in (select id from ${admins} where ${contains(sql`email`, search)})`,
    // An action on a list of people has their ids in its details.
    sql`${auditEntries.details} -> 'ids' ? ${search}`,
  );
}

function selectAudit(db: Queryable, where: SQL | undefined) {
  return db
    .select({ ...getTableColumns(auditEntries), adminEmail: admins.email })
    .from(auditEntries)
    .leftJoin(admins, eq(admins.id, auditEntries.adminId))
    .where(where);
}

/** The newest entries that match; pages beyond the middle are read from the oldest. */
export function pageAudit(
  db: Queryable,
  search: string | undefined,
  page: Page,
): Promise<{ rows: AuditListRow[]; total: number }> {
  const where = matches(search);
  return readPage(
    page,
    () => countAudit(db, where),
    ({ limit, offset, fromEnd }) => {
      const direction = fromEnd ? sql`asc` : sql`desc`;
      const order = sql`${auditEntries.at} ${direction}, ${auditEntries.id} ${direction}`;
      // The index alone finds the page when there is no search; only the rows of the page are read.
      const ids = db.select({ id: auditEntries.id }).from(auditEntries).$dynamic();
      if (where) ids.where(where);
      return selectAudit(
        db,
        inArray(auditEntries.id, ids.orderBy(order).limit(limit).offset(offset)),
      ).orderBy(order);
    },
  );
}

async function countAudit(db: Queryable, where: SQL | undefined): Promise<number> {
  const counted = db.select({ n: count() }).from(auditEntries).$dynamic();
  if (where) counted.where(where);
  return onlyRow(await counted).n;
}

/** The next entries by time; continue from the last one's time and id. */
export function nextAuditRows(
  db: Queryable,
  search: string | undefined,
  after: { at: Date; id: string } | undefined,
  limit: number,
): Promise<AuditListRow[]> {
  const from = after
    ? sql`(${auditEntries.at}, ${auditEntries.id}) > (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
    : undefined;
  return selectAudit(db, and(matches(search), from))
    .orderBy(asc(auditEntries.at), asc(auditEntries.id))
    .limit(limit);
}

/** The entries about one subject, oldest first. */
export function listAuditOf(db: Queryable, subjectId: string): Promise<AuditListRow[]> {
  return selectAudit(db, eq(auditEntries.subjectId, subjectId)).orderBy(
    asc(auditEntries.at),
    asc(auditEntries.id),
  );
}

/** Sealed entries after a number, in the order of the chain. */
export function nextSealedRows(db: Queryable, after: number, limit: number): Promise<AuditRow[]> {
  return db
    .select()
    .from(auditEntries)
    .where(and(isNotNull(auditEntries.number), gt(auditEntries.number, after)))
    .orderBy(asc(auditEntries.number))
    .limit(limit);
}

/** The sealed entry with a number. */
export async function findSealedEntry(
  db: Queryable,
  number: number,
): Promise<AuditRow | undefined> {
  const [row] = await db.select().from(auditEntries).where(eq(auditEntries.number, number));
  return row;
}

/**
 * Whether entries are missing although none was sealed: sign-ins are logged, so an administrator who
 * signed in before the first entry proves that there were others.
 */
export async function isLogEmptied(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ emptied: boolean }>(sql`
    select exists (
      select from ${admins} where ${admins.lastSignInAt} <
        coalesce((select min(${auditEntries.at}) from ${auditEntries}), 'infinity')
    ) as emptied`);
  return onlyRow(rows).emptied;
}

export function listUnsealed(tx: Tx, limit: number): Promise<AuditRow[]> {
  return tx
    .select()
    .from(auditEntries)
    .where(isNull(auditEntries.number))
    .orderBy(asc(auditEntries.at), asc(auditEntries.id))
    .limit(limit);
}

export async function countSealing(db: Queryable): Promise<{ sealed: number; waiting: number }> {
  return onlyRow(
    await db
      .select({
        sealed: sql<number>`count(${auditEntries.number})::int`,
        waiting: sql<number>`count(*) filter (where ${auditEntries.number} is null)::int`,
      })
      .from(auditEntries),
  );
}

export async function setSeals(
  tx: Tx,
  seals: readonly { id: string; number: number; hash: Buffer }[],
): Promise<void> {
  await tx.execute(sql`
    update ${auditEntries} a set number = s.number, hash = s.hash
    from unnest(
      ${sql.param(seals.map((s) => s.id))}::uuid[],
      ${sql.param(seals.map((s) => s.number))}::bigint[],
      ${sql.param(seals.map((s) => s.hash))}::bytea[]
    ) as s(id, number, hash)
    where a.id = s.id and a.number is null`);
}

/** The end of the chain, locked: only one process seals at a time. */
export async function lockHead(tx: Tx): Promise<AuditHeadRow | undefined> {
  const [row] = await tx.select().from(auditHead).for('update');
  return row;
}

export async function findHead(db: Queryable): Promise<AuditHeadRow | undefined> {
  const [row] = await db.select().from(auditHead);
  return row;
}

/** When an action was last recorded, of anyone or by one administrator on one subject; or `null`. */
export async function findLastEntryAt(
  db: Queryable,
  action: string,
  by?: { adminId: string; subjectId: string },
): Promise<Date | null> {
  const { adminId, subjectId } = auditEntries;
  const [row] = await db
    .select({ at: max(auditEntries.at) })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, action),
        by && eq(subjectId, by.subjectId),
        by && eq(adminId, by.adminId),
      ),
    );
  return row?.at ?? null;
}

export async function putHead(tx: Tx, head: Omit<AuditHeadRow, 'one'>): Promise<void> {
  await tx.insert(auditHead).values(head).onConflictDoUpdate({ target: auditHead.one, set: head });
}
