import type { Grant, Place, Placed, Reach } from '@invigil/core/domain/rights';
import type { NamedGrant } from '@invigil/core/texts/roles';
import { and, eq, inArray, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { categories, questions, quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { invitations } from '../schema/invitations.ts';

const ofQuiz = { quizId: quizzes.id, categoryId: quizzes.categoryId };

/** The places of some objects; objects that do not exist are left out. A person has many places. */
export function listPlaces(db: Queryable, what: Placed, ids: readonly string[]): Promise<Place[]> {
  const some = [...ids];
  switch (what) {
    case 'quiz':
      return db.select(ofQuiz).from(quizzes).where(inArray(quizzes.id, some));
    case 'category':
      return db
        .select({ categoryId: categories.id })
        .from(categories)
        .where(inArray(categories.id, some));
    case 'question':
      // A question belongs to its assessment, or else to its own category of the bank.
      return db
        .select({
          quizId: questions.quizId,
          categoryId: sql<string | null>`case when ${questions.quizId} is null
            then ${questions.categoryId} else ${quizzes.categoryId} end`,
        })
        .from(questions)
        .leftJoin(quizzes, eq(quizzes.id, questions.quizId))
        .where(inArray(questions.id, some));
    case 'invitation':
    case 'participant': {
      const placed = what === 'invitation' ? invitations : participants;
      return db
        .select(ofQuiz)
        .from(placed)
        .innerJoin(quizzes, eq(quizzes.id, placed.quizId))
        .where(inArray(placed.id, some));
    }
    case 'person':
      return db
        .selectDistinct(ofQuiz)
        .from(invitations)
        .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
        .where(inArray(invitations.userId, some));
  }
}

/** Grants with the names of what they are for; those for something that is deleted are left out. */
export async function listNamedGrants(
  db: Queryable,
  grants: readonly Grant[],
  now: Date,
): Promise<(NamedGrant & { opensAt?: string })[]> {
  const quizIds = grants.flatMap(({ quizId }) => quizId ?? []);
  const categoryIds = grants.flatMap(({ categoryId }) => categoryId ?? []);
  const { id, title, opensAt } = quizzes;
  const ofQuizzes = await db
    .select({ id, title, opensAt })
    .from(quizzes)
    .where(inArray(id, quizIds));
  const ofCategories = await db
    .select({ id: categories.id, name: categories.name })
    .from(categories)
    .where(inArray(categories.id, categoryIds));
  return grants.flatMap(({ role, quizId, categoryId }): (NamedGrant & { opensAt?: string })[] => {
    const quiz = ofQuizzes.find((one) => one.id === quizId);
    const category = ofCategories.find((one) => one.id === categoryId)?.name;
    if (quiz === undefined) return quizId || (categoryId && !category) ? [] : [{ role, category }];
    const { title: name, opensAt: at } = quiz;
    const opens = at !== null && at > now ? { opensAt: at.toISOString() } : {};
    return [{ role, quiz: name, ...opens }];
  });
}

const any = (ids: string[]) => sql`any (${sql.param(ids)}::uuid[])`;

/** `isWithin` of core as a condition on assessments; none where everything is in reach. */
export function quizWithin(reach: Reach): SQL | undefined {
  if (reach === 'all') return undefined;
  const { quizIds, categoryIds } = reach;
  return sql`(${quizzes.id} = ${any(quizIds)} or ${quizzes.categoryId} = ${any(categoryIds)})`;
}

/** The same of rows that name an assessment. */
export function ofQuizWithin(reach: Reach, quizId: SQLWrapper): SQL | undefined {
  if (reach === 'all') return undefined;
  const { quizIds, categoryIds } = reach;
  return sql`${quizId} in (select q.id from ${quizzes} q
    where q.id = ${any(quizIds)} or q.category_id = ${any(categoryIds)})`;
}

/** The same of questions. */
export function questionWithin(reach: Reach): SQL | undefined {
  if (reach === 'all') return undefined;
  return or(
    ofQuizWithin(reach, questions.quizId),
    and(isNull(questions.quizId), sql`${questions.categoryId} = ${any(reach.categoryIds)}`),
  );
}

/** The same of categories; those of assessments in reach are seen as well. */
export function categoryWithin(reach: Reach): SQL | undefined {
  if (reach === 'all') return undefined;
  return sql`(${categories.id} = ${any(reach.categoryIds)} or ${categories.id} in (
    select q.category_id from ${quizzes} q where q.id = ${any(reach.quizIds)}))`;
}

/** The assessments in reach, archived ones too. */
export async function listQuizIds(db: Queryable, reach: Reach): Promise<Set<string>> {
  const rows = await db.select({ id: quizzes.id }).from(quizzes).where(quizWithin(reach));
  return new Set(rows.map(({ id }) => id));
}
