import type { PoolQuestion } from '@invigil/core/domain/questions/draw-by-rules';
import type { QuestionDetails } from '@invigil/core/domain/questions/question-definition';
import { orderFor } from '@invigil/core/domain/questions/question-versions';
import type { DrawFilter, QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { portionsOf } from '../portions.ts';
import { questions, questionVersions, quizzes } from '../schema/assessments.ts';
import { paperQuestions, participants } from '../schema/attempts.ts';
import { contentKey, isDraft, isVisible, typesThat } from './question-conditions.ts';
import { currentVersion } from './questions.ts';

/** The current state of the structures of all assessments that have one and are not archived. */
export async function listStructures(db: Queryable) {
  const rows = await db
    .select({
      id: quizzes.id,
      title: quizzes.title,
      categoryId: quizzes.categoryId,
      structure: quizzes.structure,
    })
    .from(quizzes)
    .where(and(isNotNull(quizzes.structure), isNull(quizzes.archivedAt)))
    .orderBy(asc(quizzes.title), asc(quizzes.id));
  return rows.flatMap(({ structure, ...quiz }) => (structure ? [{ ...quiz, structure }] : []));
}

export type PooledQuestion = PoolQuestion & {
  quizId: string | null;
  /** null for a plain one */
  points: number | null;
  /** Equal for questions with equal texts, and rarely for others. */
  textHash: number;
};

/** All questions that an assessment's structure names or draws from, without drafts. */
export async function listPool(
  db: Queryable,
  quizId: string,
  structure: QuizStructure,
): Promise<PooledQuestion[]> {
  return withContent(db, await selectPooled(db, inPool(quizId, structure)));
}

/**
 * Changes whenever `listPool` would find something else: content changes by a new version only, so every
 * change is one of a question's row, whose `xmin` is the transaction that wrote it, or of what qualifies.
 */
export async function poolFingerprint(
  db: Queryable,
  quizId: string,
  structure: QuizStructure,
): Promise<string> {
  const { rows } = await db.execute<{ fingerprint: string }>(sql`
    select count(*) || '/' || coalesce(sum(hashtextextended(
      ${questions.id} || '/' || ${questions}.xmin, 0)), 0) as fingerprint
    from ${questions} where ${isVisible} and (${inPool(quizId, structure)})`);
  return onlyRow(rows).fingerprint;
}

/** Finds which questions of a pool have the same content. Only those with equal texts are compared. */
export async function withContent(
  db: Queryable,
  pool: PooledQuestion[],
): Promise<PooledQuestion[]> {
  const equal = [...Map.groupBy(pool, ({ textHash }) => textHash).values()].filter(
    (group) => group.length > 1,
  );
  if (equal.length === 0) return pool;
  const ids = equal.flatMap((group) => group.map(({ questionId }) => questionId));
  const rows = await db
    .select({ id: questionVersions.questionId, n: questionVersions.version, content: contentKey })
    .from(questionVersions)
    .where(sql`${questionVersions.questionId} = any (${sql.param(ids)}::uuid[])`);
  const contents = new Map(rows.map(({ id, n, content }) => [`${id}/${n}`, content]));
  return pool.map((q) => ({ ...q, content: contents.get(`${q.questionId}/${q.version}`) }));
}

/** How many questions of an assessment no candidate gets, because nothing in them is right. */
export async function countDrafts(db: Queryable, quiz: Structured): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${questions} join ${questionVersions} on ${currentVersion}
    where ${isVisible} and ${isDraft} and (${isOnPapers(quiz)})`);
  return onlyRow(rows).n;
}

/**
 * Whether a question that papers of an assessment can have shows an image to candidates.
 *
 * @param orExplains or its explanation, or feedback on an option, does
 */
export async function isImageOnPapers(
  db: Queryable,
  quiz: Structured,
  hash: string,
  { orExplains = false } = {},
): Promise<boolean> {
  const { question, optionTexts, details } = questionVersions;
  const explaining = orExplains ? sql`, ${details}::text` : sql``;
  const { rows } = await db.execute(sql`
    select from ${questions} join ${questionVersions} on ${currentVersion}
    where ${isVisible} and (${isOnPapers(quiz)})
      and concat_ws(' ', ${question}, array_to_string(${optionTexts}, ' ')${explaining}) like ${`%image:${hash}%`}
    limit 1`);
  return rows.length === 1;
}

/** The current versions that papers of an assessment can have; of one question, or of all. */
export async function listOnPapers(
  db: Queryable,
  quiz: Structured,
  questionId?: string,
): Promise<{ questionId: string; version: number }[]> {
  const asked = questionId === undefined ? sql`true` : eq(questions.id, questionId);
  const { rows } = await db.execute<{ questionId: string; version: number }>(sql`
    select ${questions.id} as "questionId", ${questions.currentVersion} as version
    from ${questions} join ${questionVersions} on ${currentVersion}
    where ${asked} and ${isVisible} and not ${isDraft} and (${isOnPapers(quiz)})`);
  return rows;
}

/** The questions on the current papers of an assessment. */
export async function listPaperQuestions(db: Queryable, quizId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct p.question_id as id
    from ${paperQuestions} p join ${participants} a on a.id = p.participant_id
    where a.quiz_id = ${quizId} and a.replaced_at is null`);
  return rows.map(({ id }) => id);
}

/** Assessments asked about in one statement. */
const ASKED_AT_ONCE = 100;

/** How many of some questions the papers of each assessment can have; those that can have none are left out. */
export async function countOnPapers(
  db: Queryable,
  of: readonly Structured[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const asked = sql`${questions.id} = any (${sql.param([...ids])}::uuid[]) and ${isVisible}`;
  for (const some of portionsOf(of, ASKED_AT_ONCE)) {
    const each = some.map(
      (quiz) =>
        sql`select ${quiz.id}::uuid as id, count(*)::int as n from asked as ${questions} where ${isOnPapers(quiz)}`,
    );
    const { rows } = await db.execute<{ id: string; n: number }>(sql`
      with asked as materialized (select ${questions}.* from ${questions} where ${asked})
      ${sql.join(each, sql` union all `)}`);
    for (const { id, n } of rows) if (n > 0) counts.set(id, n);
  }
  return counts;
}

/** The assessments that can be started now or later, by title. */
export const listStartable = (db: Queryable, now: Date) =>
  db
    .select({
      id: quizzes.id,
      title: quizzes.title,
      categoryId: quizzes.categoryId,
      structure: quizzes.structure,
    })
    .from(quizzes)
    .where(
      and(
        quizzes.isActive,
        isNull(quizzes.archivedAt),
        or(isNull(quizzes.endDate), gt(quizzes.endDate, now)),
      ),
    )
    .orderBy(asc(quizzes.title), asc(quizzes.id));

interface Structured {
  id: string;
  structure: QuizStructure | null;
}

/** Whether papers of an assessment can have a question. */
const isOnPapers = ({ id, structure }: Structured): SQL =>
  structure
    ? inPool(id, structure)
    : sql`${questions.quizId} = ${id} and ${questions.archivedAt} is null`;

/** Questions by id, of a category, or of an assessment. */
export type SomeQuestions =
  | { ids: readonly string[] }
  | { categoryId: string }
  | { quizId: string };

/** The given questions that can be drawn, or be named by a section. */
export function listPooled(tx: Tx, which: SomeQuestions): Promise<PooledQuestion[]> {
  if ('categoryId' in which) return selectPooled(tx, eq(questions.categoryId, which.categoryId));
  if ('quizId' in which) return selectPooled(tx, eq(questions.quizId, which.quizId));
  return selectPooled(tx, sql`${questions.id} = any (${sql.param([...which.ids])}::uuid[])`);
}

type Row = Omit<PooledQuestion, 'fixed' | 'isMixed'> & {
  optionIds: number[];
  /** Only where the order of options depends on it. */
  ordered: Pick<QuestionDetails, 'type' | 'options'> | null;
};

/** Types of which the author's order is on every paper, or on none. */
const orderedTypes = typesThat((type) => TYPES[type].hasFixedOrder || TYPES[type].isOrderKey);

/**
 * Reads no texts: a pool can have 10,000 questions, and their texts alone would keep the process from
 * everything else for a second. Rows are used as the driver makes them, for the same reason.
 */
async function selectPooled(db: Queryable, which: SQL): Promise<PooledQuestion[]> {
  const { details, optionIds, question } = questionVersions;
  const { rows } = await db.execute<Row>(sql`
    select ${questions.id} as "questionId", ${questions.currentVersion} as version,
      ${questions.quizId} as "quizId", ${questions.tags} as tags,
      ${questions.categoryId} as "categoryId", ${questions.difficulty} as difficulty,
      ${questions.archivedAt} is not null as "isArchived", ${optionIds} as "optionIds",
      hashtext(${question}) as "textHash", (${details} -> 'points')::float8 as points,
      case when ${details} ->> 'type' in ${orderedTypes} or ${details} @> '{"options": [{"isLast": true}]}'
        then jsonb_build_object('type', ${details} -> 'type', 'options', (
          select jsonb_agg(o - '{isCorrect,weight,feedback,place}'::text[] order by n)
          from jsonb_array_elements(${details} -> 'options') with ordinality as e(o, n)))
      end as ordered
    from ${questions} join ${questionVersions} on ${currentVersion}
    where ${isVisible} and not ${isDraft} and (${which})
    order by ${questions.id}`);
  return rows.map(({ ordered, ...row }) => ({
    ...row,
    ...orderFor(row.optionIds, ordered),
  }));
}

/** A rule draws from the bank and from the assessment's own questions, never from another one's. */
function inPool(quizId: string, { sections }: QuizStructure): SQL {
  const items = sections.flatMap((section) => section.items);
  const named = items.flatMap((item) => ('questionId' in item ? item.questionId : []));
  const filters = items.flatMap((item) => ('questionId' in item ? [] : matches(item.from)));
  const isOpen = and(
    isNull(questions.archivedAt),
    or(isNull(questions.quizId), eq(questions.quizId, quizId)),
  );
  return (
    or(
      named.length === 0 ? undefined : inArray(questions.id, named),
      ...filters.map((filter) => and(isOpen, filter)),
    ) ?? sql`false`
  );
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
