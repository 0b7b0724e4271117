import type { AttemptStatus } from '@invigil/core/domain/attempt';
import { and, count, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';
import { participantEvents, participants, quizzes, users } from '../../db/schema.ts';

const current = isNull(participants.replacedAt);
const completed = and(current, eq(participants.status, 'completed'));

export async function readTotals(db: Queryable, now: Date) {
  const quizTotals = onlyRow(
    await db
      .select({
        total: count(),
        active: sql<number>`count(*) filter (where ${and(
          quizzes.isActive,
          or(isNull(quizzes.endDate), gt(quizzes.endDate, now)),
        )})::int`,
      })
      .from(quizzes)
      .where(isNull(quizzes.archivedAt)),
  );
  const attempts = onlyRow(await db.select({ total: count() }).from(participants).where(current));
  const average = onlyRow(
    await db
      .select({
        value: sql<number>`coalesce(avg(100.0 * ${participants.score} / nullif(${participants.totalMarks}, 0)), 0)::float8`,
      })
      .from(participants)
      .where(completed),
  );
  return {
    totalQuizzes: quizTotals.total,
    activeQuizzes: quizTotals.active,
    totalParticipants: attempts.total,
    averageScore: average.value,
  };
}

/** The last starts and ends of current attempts. */
export function listRecentActivity(db: Queryable, most: number) {
  return db
    .select({
      kind: participantEvents.kind,
      at: participantEvents.at,
      email: users.email,
      quiz: quizzes.title,
      status: sql<AttemptStatus>`${participants.status}`,
      score: participants.score,
      totalMarks: participants.totalMarks,
    })
    .from(participantEvents)
    .innerJoin(participants, eq(participants.id, participantEvents.participantId))
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(and(current, sql`${participantEvents.kind} in ('started', 'ended')`))
    .orderBy(desc(participantEvents.at), desc(participantEvents.id))
    .limit(most);
}

/** The best per cent of completed attempts submitted since a moment; the faster wins a tie. */
export function listTopScorers(db: Queryable, since: Date, most: number) {
  return db
    .select({
      email: users.email,
      quiz: quizzes.title,
      score: participants.score,
      totalMarks: participants.totalMarks,
      startedAt: participants.startedAt,
      submittedAt: participants.submittedAt,
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(and(completed, gte(participants.submittedAt, since)))
    .orderBy(
      sql`${participants.score}::float8 / nullif(${participants.totalMarks}, 0) desc nulls last`,
      sql`${participants.submittedAt} - ${participants.startedAt}`,
      participants.id,
    )
    .limit(most);
}

/** Completed attempts by tens of per cent; ten numbers. */
export async function readHistogram(db: Queryable, quizId: string | undefined): Promise<number[]> {
  const bin = sql<number>`least(9, floor(10.0 * ${participants.score} / ${participants.totalMarks}))::int`;
  const rows = await db
    .select({ bin, n: count() })
    .from(participants)
    .where(and(completed, quizId === undefined ? undefined : eq(participants.quizId, quizId)))
    .groupBy(bin);
  return Array.from({ length: 10 }, (_, i) => rows.find((row) => row.bin === i)?.n ?? 0);
}

/**
 * Ends per day; `starts` are the moments at which the days begin, in order, the last of them being
 * today. One entry per day. The days come from outside because the database's own list of zones may
 * lack a name that Node knows.
 */
export async function countEndsPerDay(
  db: Queryable,
  quizId: string | undefined,
  starts: readonly Date[],
): Promise<number[]> {
  const { rows } = await db.execute<{ day: number; count: number }>(sql`
    select width_bucket(submitted_at, d.starts) as day, count(*)::int as count
    from participants, (
      select ${sql.param(starts.map((start) => start.toISOString()))}::timestamptz[] as starts
    ) as d
    where replaced_at is null and submitted_at >= d.starts[1]
      and (${quizId ?? null}::uuid is null or quiz_id = ${quizId ?? null}::uuid)
    group by 1`);
  const counts = new Map(rows.map((row) => [row.day, row.count]));
  return starts.map((_, i) => counts.get(i + 1) ?? 0);
}
