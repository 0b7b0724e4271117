import type { AttemptStatus } from '@invigil/core/domain/attempt';
import type { Reach } from '@invigil/core/domain/rights';
import { and, count, desc, eq, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../../db/database.ts';
import {
  hasResult,
  isToReview,
  scoreColumns,
} from '../../../db/queries/attempts/attempt-filter.ts';
import { timeSpent } from '../../../db/queries/attempts/attempts.ts';
import { isCodeEnding, LATEST_CODE_UNTIL } from '../../../db/queries/codes.ts';
import { ofQuizWithin, quizWithin } from '../../../db/queries/places.ts';
import { isOpen, isOpenToInvited } from '../../../db/queries/quizzes.ts';
import { nameColumns } from '../../../db/queries/seen-people.ts';
import { quizzes } from '../../../db/schema/assessments.ts';
import { participantEvents, participants } from '../../../db/schema/attempts.ts';
import { invitations, users } from '../../../db/schema/invitations.ts';

const current = isNull(participants.replacedAt);
/** A literal, as in the partial index: the planner does not match that index with a parameter. */
const completed = and(current, sql`${participants.status} = 'completed'`);

/** Points where questions have them, else questions with full marks: for shares of either. */
const result = {
  score: sql`coalesce(${participants.points}, ${participants.score})`,
  marks: sql`coalesce(${participants.maxPoints}, ${participants.totalMarks})`,
};

/**
 * The number of completed attempts per result; those whose questions are all left out have none. There are
 * few different results, so what is computed from them is cheap and exact; an index covers all columns that
 * are read.
 */
function resultsOf({ quizId, reach }: Scope, since?: Date): SQL {
  return sql`select ${result.score} as score, ${result.marks} as marks, count(*) as n
    from ${participants}
    where ${and(completed, sql`${result.marks} > 0`, within({ quizId, reach }), since && gte(participants.submittedAt, since))} group by 1, 2`;
}

/** Attempts at one assessment, or at all in reach. */
export interface Scope {
  quizId?: string | undefined;
  reach: Reach;
}

function within({ quizId, reach }: Scope): SQL | undefined {
  return and(
    quizId === undefined ? undefined : eq(participants.quizId, quizId),
    ofQuizWithin(reach, participants.quizId),
  );
}

/** All that are neither archived nor for practice, and those of them that candidates can start. */
export async function countQuizzes(db: Queryable, reach: Reach, now: Date) {
  const hasOpened = or(isNull(quizzes.opensAt), lte(quizzes.opensAt, now));
  return onlyRow(
    await db
      .select({
        total: count(),
        active: sql<number>`count(*) filter (where ${and(isOpen(now), hasOpened)})::int`,
      })
      .from(quizzes)
      .where(and(isNull(quizzes.archivedAt), isNull(quizzes.practiceToken), quizWithin(reach))),
  );
}

export const countCurrentAttempts = (db: Queryable, reach: Reach): Promise<number> =>
  db.$count(participants, and(current, ofQuizWithin(reach, participants.quizId)));

/** The mean percentage of completed attempts, 0 without any. */
export async function readAverage(db: Queryable, reach: Reach): Promise<number> {
  const { rows } = await db.execute<{ value: number }>(sql`
    select coalesce(sum(100.0 * score * n / marks) / sum(n), 0)::float8 as value
    from (${resultsOf({ reach })}) results`);
  return onlyRow(rows).value;
}

/** The last starts and ends of current attempts, of one assessment or of all. */
export function listRecentActivity(db: Queryable, sees: Reach, limit: number, scope: Scope) {
  return db
    .select({
      participantId: participants.id,
      kind: sql<'started' | 'ended'>`${participantEvents.kind}`,
      at: participantEvents.at,
      email: users.email,
      ...nameColumns(sees),
      quiz: quizzes.title,
      status: sql<AttemptStatus>`${participants.status}`,
      ...scoreColumns,
    })
    .from(participantEvents)
    .innerJoin(participants, eq(participants.id, participantEvents.participantId))
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(and(current, within(scope), sql`${participantEvents.kind} in ('started', 'ended')`))
    .orderBy(desc(participantEvents.at), desc(participantEvents.id))
    .limit(limit);
}

/** How far the people of each assessment that is not archived have come. */
export async function listFigures(db: Queryable, reach: Reach) {
  type Figures = Record<'invited' | 'started' | 'finished' | 'toReview', number>;
  const { rows } = await db.execute<Figures & { quizId: string }>(sql`
    select q.id as "quizId", coalesce(i.invited, 0) as invited, coalesce(a.started, 0) as started,
      coalesce(a.finished, 0) as finished, coalesce(a.to_review, 0) as "toReview"
    from quizzes q
    left join (
      select quiz_id, count(*)::int as invited from invitations where revoked_at is null group by 1
    ) i on i.quiz_id = q.id
    left join (
      select quiz_id, count(*)::int as started,
        count(*) filter (where ${participants.status} <> 'in_progress')::int as finished,
        count(*) filter (where ${isToReview})::int as to_review
      from participants where ${current} group by 1
    ) a on a.quiz_id = q.id
    where ${and(sql`q.archived_at is null`, ofQuizWithin(reach, sql`q.id`))}`);
  return rows;
}

/** Open assessments that end by a moment, with the number of people invited and started. */
export async function listEndingSoon(
  db: Queryable,
  reach: Reach,
  now: Date,
  until: Date,
  limit: number,
) {
  return db
    .select({
      quizId: quizzes.id,
      title: quizzes.title,
      endDate: sql<Date>`${quizzes.endDate}`.mapWith(quizzes.endDate),
      invited: sql<number>`(select count(*)::int from ${invitations} i
        where i.quiz_id = ${quizzes}.id and i.revoked_at is null)`,
      started: sql<number>`(select count(*)::int from ${participants} p
        where p.quiz_id = ${quizzes}.id and p.replaced_at is null)`,
    })
    .from(quizzes)
    .where(
      and(
        isOpen(now),
        isNull(quizzes.practiceToken),
        quizWithin(reach),
        lte(quizzes.endDate, until),
      ),
    )
    .orderBy(quizzes.endDate, quizzes.id)
    .limit(limit);
}

/** Open assessments with people who have not started and whose one-time passwords end soon (isCodeEnding). */
export function listCodesEnding(db: Queryable, reach: Reach, now: Date, limit: number) {
  return db
    .select({
      quizId: quizzes.id,
      title: quizzes.title,
      people: count(),
      /** The earliest. */
      until: sql<Date>`min(${LATEST_CODE_UNTIL})`.mapWith(quizzes.endDate),
    })
    .from(invitations)
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .leftJoin(
      participants,
      and(eq(participants.invitationId, invitations.id), isNull(participants.replacedAt)),
    )
    .where(
      and(
        isOpenToInvited(now),
        quizWithin(reach),
        isNull(invitations.revokedAt),
        isNull(participants.id),
        isCodeEnding(now),
        sql`${LATEST_CODE_UNTIL} > ${now.toISOString()}::timestamptz`,
      ),
    )
    .groupBy(quizzes.id)
    .orderBy(sql`min(${LATEST_CODE_UNTIL})`, quizzes.id)
    .limit(limit);
}

/** The best percentages of completed attempts submitted since a moment; the faster wins a tie. */
export function listTopScorers(
  db: Queryable,
  { reach, sees }: { reach: Reach; sees: Reach },
  since: Date,
  limit: number,
) {
  const best = [
    sql`${result.score}::float8 / nullif(${result.marks}, 0) desc nulls last`,
    timeSpent(sql`${participants.submittedAt}`),
    participants.id,
  ];
  const ids = db
    .select({ id: participants.id })
    .from(participants)
    .where(and(completed, within({ reach }), gte(participants.submittedAt, since)))
    .orderBy(...best)
    .limit(limit);
  return db
    .select({
      email: users.email,
      ...nameColumns(sees),
      quiz: quizzes.title,
      ...scoreColumns,
      startedAt: participants.startedAt,
      submittedAt: participants.submittedAt,
      pausedUntil: participants.pausedUntil,
      pausedMs: participants.pausedMs,
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(inArray(participants.id, ids))
    .orderBy(...best);
}

/** Completed attempts submitted since a moment in ten bins of 10 %; 100 % is in the last. */
export async function readHistogram(
  db: Queryable,
  scope: Scope,
  since: Date | undefined,
): Promise<number[]> {
  const { rows } = await db.execute<{ bin: number; n: number }>(sql`
    select least(9, 10 * score / marks)::int as bin, sum(n)::int as n
    from (${resultsOf(scope, since)}) results group by 1`);
  return Array.from({ length: 10 }, (_, i) => rows.find((row) => row.bin === i)?.n ?? 0);
}

/** Current attempts that ended since a moment and passed or failed. */
export async function countResults(db: Queryable, scope: Scope, since: Date | undefined) {
  const { rows } = await db.execute<{ passed: number; failed: number }>(sql`
    select count(*) filter (where ${hasResult('passed')})::int as passed,
      count(*) filter (where ${hasResult('failed')})::int as failed
    from ${participants}
    where ${and(
      current,
      within(scope),
      since && gte(participants.submittedAt, since),
      sql`${participants.quizId} in (select id from ${quizzes} where result_rules is not null)`,
    )}`);
  return onlyRow(rows);
}

/**
 * Ends per day; `starts` are the moments at which the days begin, in order, the last one today's.
 * One entry per day. They are a parameter because the database's time zones may lack one that Node
 * knows.
 */
export async function countEndsPerDay(
  db: Queryable,
  scope: Scope,
  starts: readonly Date[],
): Promise<number[]> {
  const [first] = starts;
  if (!first) return [];
  const times = sql`${sql.param(starts.map((start) => start.toISOString()))}::timestamptz[]`;
  const { rows } = await db.execute<{ day: number; n: number }>(sql`
    select width_bucket(${participants.submittedAt}, ${times}) as day, count(*)::int as n
    from ${participants}
    where ${and(current, gte(participants.submittedAt, first), within(scope))} group by 1`);
  const counts = new Map(rows.map((row) => [row.day, row.n]));
  return starts.map((_, i) => counts.get(i + 1) ?? 0);
}
