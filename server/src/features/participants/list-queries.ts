import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import { and, asc, count, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';
import { participants, quizzes, users } from '../../db/schema.ts';

export interface ParticipantFilter {
  userId?: string | undefined;
  quizId?: string | undefined;
  status?: AttemptStatus | undefined;
  search?: string | undefined;
  /** Only attempts started until then: pages stay stable while rows arrive. */
  asOf?: Date | undefined;
}

export interface ParticipantPage {
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
  limit: number;
  offset: number;
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

/** E-mail or id contains the text; `%` and `_` are plain characters (product 10). */
function matches(search: string): SQL | undefined {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return or(
    sql`lower(${users.email}) like ${pattern}`,
    sql`${participants.id}::text like ${pattern}`,
  );
}

/** Columns that may be empty. The others keep the plain order, which is that of the indexes. */
const CAN_BE_NULL: ReadonlySet<ParticipantPage['sort']> = new Set([
  'submittedAt',
  'userEmail',
  'score',
]);

/** While in progress the time that passes orders like the start, reversed. */
function sortColumn(sort: ParticipantPage['sort'], now: Date): SQL {
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

/** An attempt without the value counts as lower than any with one. */
function nullsAsLowest(column: SQL, order: 'asc' | 'desc'): SQL {
  return order === 'asc' ? sql`${column} asc nulls first` : sql`${column} desc nulls last`;
}

/** One page of current attempts; ties are broken by id, so that pages never overlap. */
export function pageParticipants(
  db: Queryable,
  filter: ParticipantFilter,
  page: ParticipantPage,
  now: Date,
): Promise<ParticipantListRow[]> {
  const column = sortColumn(page.sort, now);
  const direction = page.order === 'asc' ? asc : desc;
  return db
    .select(columns)
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(conditions(filter))
    .orderBy(
      CAN_BE_NULL.has(page.sort) ? nullsAsLowest(column, page.order) : direction(column),
      direction(participants.id),
    )
    .limit(page.limit)
    .offset(page.offset);
}

export async function countParticipants(db: Queryable, filter: ParticipantFilter): Promise<number> {
  return onlyRow(
    await db
      .select({ n: count() })
      .from(participants)
      .innerJoin(users, eq(users.id, participants.userId))
      .where(conditions(filter)),
  ).n;
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
