import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import { and, count, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';
import type { PageWindow } from '../../db/page-window.ts';
import { participants, quizzes, users } from '../../db/schema.ts';

export interface ParticipantFilter {
  userId?: string | undefined;
  quizId?: string | undefined;
  status?: AttemptStatus | undefined;
  search?: string | undefined;
  /** Only attempts started until then: pages stay stable while rows arrive. */
  asOf?: Date | undefined;
}

/** By what a list is ordered; ties always by id, so that pages never overlap. */
export interface ParticipantOrder {
  sort:
    | 'startedAt'
    | 'submittedAt'
    | 'userEmail'
    | 'quizTitle'
    | 'score'
    | 'status'
    | 'timeSpent'
    | 'violationCount';
  order: 'asc' | 'desc';
}

const columns = {
  id: participants.id,
  userId: participants.userId,
  quizId: participants.quizId,
  userEmail: users.email,
  quizTitle: quizzes.title,
  status: sql<AttemptStatus>`${participants.status}`,
  score: participants.score,
  totalMarks: participants.totalMarks,
  countedViolations: participants.countedViolations,
  violationCalls: participants.violationCalls,
  startedAt: participants.startedAt,
  submittedAt: participants.submittedAt,
  submissionType: sql<SubmissionType | null>`${participants.submissionType}`,
  attempt: participants.attempt,
  violationLimit: sql<number | null>`(
    select (p.settings -> 'limits' ->> 'combined')::int from quiz_policies p
    where p.quiz_id = ${participants.quizId} and p.version = ${participants.policyVersion}
  )`,
  answered: sql<number>`coalesce(${participants.answeredCount}, (
    select count(*)::int from answers a
    where a.participant_id = ${participants.id} and a.option_id is not null
  ))`,
};

/** A row of the list and of the report. */
export interface ParticipantListRow {
  id: string;
  userId: string;
  quizId: string;
  userEmail: string | null;
  quizTitle: string;
  status: AttemptStatus;
  score: number | null;
  totalMarks: number;
  countedViolations: number;
  violationCalls: number;
  startedAt: Date;
  submittedAt: Date | null;
  submissionType: SubmissionType | null;
  attempt: number;
  violationLimit: number | null;
  answered: number;
}

function conditions(filter: ParticipantFilter): SQL | undefined {
  const { userId, quizId, status, search, asOf } = filter;
  return and(
    isNull(participants.replacedAt),
    userId === undefined ? undefined : eq(participants.userId, userId),
    quizId === undefined ? undefined : eq(participants.quizId, quizId),
    status === undefined ? undefined : eq(participants.status, status),
    asOf === undefined ? undefined : lte(participants.startedAt, asOf),
    search === undefined || search === '' ? undefined : matches(search),
  );
}

/**
 * E-mail or id contains the text; `%` and `_` are plain characters (product 10). People are looked
 * for first: there are fewer of them than attempts. Ids are looked at only for what can stand in one.
 */
function matches(search: string): SQL | undefined {
  const text = search.toLowerCase();
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const byEmail = sql`${participants.userId} in (
    select id from users where lower(email) like ${pattern}
  )`;
  return /^[0-9a-f-]+$/.test(text)
    ? or(byEmail, sql`${participants.id}::text like ${pattern}`)
    : byEmail;
}

/** Columns that may be empty. The others keep the plain order, which is that of the indexes. */
const CAN_BE_NULL: ReadonlySet<ParticipantOrder['sort']> = new Set([
  'submittedAt',
  'userEmail',
  'score',
]);

/** While in progress the time that passes orders like the start, reversed. */
function sortColumn(sort: ParticipantOrder['sort'], now: Date): SQL {
  switch (sort) {
    case 'startedAt':
      return sql`${participants.startedAt}`;
    case 'submittedAt':
      return sql`${participants.submittedAt}`;
    case 'userEmail':
      return sql`lower(${users.email})`;
    case 'quizTitle':
      return sql`lower(${quizzes.title})`;
    case 'score':
      return sql`${participants.score}`;
    case 'status':
      return sql`${participants.status}`;
    case 'timeSpent':
      return sql`coalesce(${participants.submittedAt}, ${now.toISOString()}::timestamptz) - ${participants.startedAt}`;
    case 'violationCount':
      return sql`greatest(${participants.countedViolations}, ${participants.violationCalls})`;
  }
}

/**
 * One direction for all that is ordered by. An attempt without the value counts as lower than any
 * with one; the indexes have the same order.
 */
function directed(
  { sort, order }: ParticipantOrder,
  fromEnd: boolean,
): { of(column: SQL): SQL; byId: SQL } {
  const isAscending = (order === 'asc') !== fromEnd;
  const nulls = CAN_BE_NULL.has(sort)
    ? isAscending
      ? sql` nulls first`
      : sql` nulls last`
    : sql``;
  const direction = isAscending ? sql`asc` : sql`desc`;
  return {
    of: (column) => sql`${column} ${direction}${nulls}`,
    byId: sql`${participants.id} ${direction}`,
  };
}

/**
 * The ids of one page. Found from what an index holds; what else a row shows is read for these few
 * only, not for all that are walked past.
 */
function pageIds(
  filter: ParticipantFilter,
  order: ParticipantOrder,
  { limit, offset, fromEnd }: PageWindow,
  now: Date,
): SQL {
  const where = conditions(filter);
  const { of, byId } = directed(order, fromEnd);
  const page = sql`limit ${limit} offset ${offset}`;
  switch (order.sort) {
    case 'quizTitle':
      // Assessment by assessment, which are few, instead of sorting all attempts by title. The
      // offset keeps the inner query from being joined in some other order.
      return sql`select participants.id
        from (select id, lower(title) as title from quizzes order by ${of(sql`lower(title)`)}) named
        cross join lateral (
          select participants.id from participants
          where participants.quiz_id = named.id and ${where} offset 0
        ) participants
        order by ${of(sql`named.title`)}, ${byId} ${page}`;
    case 'userEmail':
      return sql`select participants.id
        from participants join users on users.id = participants.user_id
        where ${where} order by ${of(sql`lower(users.email)`)}, ${byId} ${page}`;
    default:
      return sql`select participants.id from participants
        where ${where} order by ${of(sortColumn(order.sort, now))}, ${byId} ${page}`;
  }
}

/** A part of the current attempts in an order; turned round when it is read from the end. */
export function pageParticipants(
  db: Queryable,
  filter: ParticipantFilter,
  order: ParticipantOrder,
  window: PageWindow,
  now: Date,
): Promise<ParticipantListRow[]> {
  const { of, byId } = directed(order, window.fromEnd);
  return db
    .select(columns)
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(sql`${participants.id} in (${pageIds(filter, order, window, now)})`)
    .orderBy(of(sortColumn(order.sort, now)), byId);
}

export async function countParticipants(db: Queryable, filter: ParticipantFilter): Promise<number> {
  return onlyRow(await db.select({ n: count() }).from(participants).where(conditions(filter))).n;
}

/** One row by id, replaced ones included. */
export async function findListedParticipant(
  db: Queryable,
  id: string,
): Promise<ParticipantListRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(eq(participants.id, id));
  return row;
}

/** Every attempt of a person at a quiz, replaced ones included, newest first. */
export function listAttempts(
  db: Queryable,
  userId: string,
  quizId?: string,
): Promise<ParticipantListRow[]> {
  return db
    .select(columns)
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(
      and(
        eq(participants.userId, userId),
        quizId === undefined ? undefined : eq(participants.quizId, quizId),
      ),
    )
    .orderBy(desc(participants.startedAt), desc(participants.attempt));
}

/**
 * The next rows of the report, in the order of starting; carry on from the last row's start and id.
 * Keyset instead of offset: each step costs the same however long the report is.
 */
export function nextReportRows(
  db: Queryable,
  filter: ParticipantFilter,
  after: { startedAt: Date; id: string } | undefined,
  limit: number,
): Promise<ParticipantListRow[]> {
  const from = after
    ? sql`(${participants.startedAt}, ${participants.id}) < (${after.startedAt.toISOString()}::timestamptz, ${after.id}::uuid)`
    : undefined;
  return db
    .select(columns)
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(and(conditions(filter), from))
    .orderBy(desc(participants.startedAt), desc(participants.id))
    .limit(limit);
}
