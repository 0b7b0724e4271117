import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable, Tx } from '../database.ts';
import { quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { invitations } from '../schema/invitations.ts';

/** The token of a practice assessment that people can use now or later; null: there is none such. */
const tokenOf = (id: AnyPgColumn | string): SQL<string | null> => sql`(
  select p.practice_token from ${quizzes} p
  where p.id = ${id} and p.archived_at is null and p.is_active
)`;

/** Columns of an assessment about practice. */
export const practiceColumns = {
  /** The token of the practice assessment that it names, if people can use that. */
  namedToken: tokenOf(quizzes.practiceQuizId),
  /** How many assessments name it. */
  namedBy: sql<number>`case when ${quizzes.practiceToken} is null then 0 else (
    select count(*)::int from ${quizzes} n where n.practice_quiz_id = ${quizzes.id} and n.archived_at is null
  ) end`,
};

/** `namedToken` of an assessment. */
export async function findNamedToken(
  db: Queryable,
  practiceQuizId: string | null,
): Promise<string | null> {
  if (practiceQuizId === null) return null;
  const { rows } = await db.execute<{ token: string | null }>(
    sql`select ${tokenOf(practiceQuizId)} as token`,
  );
  return rows[0]?.token ?? null;
}

/** The assessment with this token, archived ones left out. */
export async function findPracticeId(db: Queryable, token: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: quizzes.id })
    .from(quizzes)
    .where(and(eq(quizzes.practiceToken, token), isNull(quizzes.archivedAt)));
  return row?.id;
}

/** A practice assessment that is not archived, with its category. */
export async function findPractice(tx: Tx, id: string) {
  const [row] = await tx
    .select({ quizId: quizzes.id, categoryId: quizzes.categoryId, token: quizzes.practiceToken })
    .from(quizzes)
    .where(and(eq(quizzes.id, id), isNull(quizzes.archivedAt)))
    .for('share');
  return row?.token === null ? undefined : row;
}

/** Whether anyone was invited to an assessment, revoked invitations included, or has taken it. */
export async function hasCandidates(tx: Tx, quizId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${invitations} where ${invitations.quizId} = ${quizId}
    union all select from ${participants} where ${participants.quizId} = ${quizId} limit 1`);
  return rows.length > 0;
}

/** Assessments that are neither archived nor for practice, but for one. */
export const listOthers = (db: Queryable, id: string) =>
  db
    .select({ id: quizzes.id, structure: quizzes.structure })
    .from(quizzes)
    .where(
      and(isNull(quizzes.archivedAt), isNull(quizzes.practiceToken), sql`${quizzes.id} <> ${id}`),
    );
