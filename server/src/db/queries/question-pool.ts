import type { PoolQuestion } from '@invigil/core/domain/questions/draw-by-rules';
import { drawableOf } from '@invigil/core/domain/questions/question-versions';
import type { DrawFilter, QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { questions, questionVersions, quizzes } from '../schema/assessments.ts';
import { currentVersion } from './questions.ts';

/** The current state of the structures of all assessments that have one and are not archived. */
export function listStructures(db: Queryable) {
  return db
    .select({ id: quizzes.id, title: quizzes.title, structure: quizzes.structure })
    .from(quizzes)
    .where(and(isNotNull(quizzes.structure), isNull(quizzes.archivedAt)))
    .orderBy(asc(quizzes.title), asc(quizzes.id));
}

/** A question that can be drawn, with its points; null for a plain one. */
export type PooledQuestion = PoolQuestion & { points: number | null };

/** All questions that a structure names or draws from, without drafts. */
export async function listPool(db: Queryable, structure: QuizStructure): Promise<PooledQuestion[]> {
  const items = structure.sections.flatMap((section) => section.items);
  const named = items.flatMap((item) => ('questionId' in item ? item.questionId : []));
  const filters = items.flatMap((item) => ('questionId' in item ? [] : matches(item.from)));
  const rows = await db
    .select({ row: questions, version: questionVersions })
    .from(questions)
    .innerJoin(questionVersions, currentVersion)
    .where(
      and(
        isNull(questions.deletedAt),
        or(
          named.length === 0 ? undefined : inArray(questions.id, named),
          ...filters.map((filter) => and(isNull(questions.archivedAt), filter)),
        ) ?? sql`false`,
      ),
    )
    .orderBy(asc(questions.id));
  return rows.flatMap(({ row, version }) => {
    const drawable = drawableOf(version);
    if (!drawable) return [];
    const { tags, categoryId, difficulty, archivedAt } = row;
    const points = version.details?.points ?? null;
    return [{ ...drawable, tags, categoryId, difficulty, isArchived: archivedAt !== null, points }];
  });
}

/** The rule of `qualifies` in core, for the database. */
function matches({ tags = [], categoryId, difficulties = [] }: DrawFilter): SQL {
  return (
    and(
      tags.length === 0 ? undefined : sql`${questions.tags} && ${sql.param(tags)}::text[]`,
      categoryId === undefined ? undefined : eq(questions.categoryId, categoryId),
      difficulties.length === 0 ? undefined : inArray(questions.difficulty, difficulties),
    ) ?? sql`true`
  );
}
