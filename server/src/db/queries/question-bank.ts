import {
  type Difficulty,
  PLAIN_TYPE,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import type { Reach } from '@invigil/core/domain/rights';
import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { containsPlain } from '../contains.ts';
import type { Queryable, Tx } from '../database.ts';
import type { PageWindow } from '../page-window.ts';
import { questions, questionVersions, quizzes } from '../schema/assessments.ts';
import { paperQuestions, participants } from '../schema/attempts.ts';
import { questionWithin, quizWithin } from './places.ts';
import { isDraft, isVisible } from './question-conditions.ts';
import { isComparedIn } from './question-words.ts';
import {
  currentVersion,
  type QuestionRow,
  type QuestionVersionRow,
  type QuestionView,
  questionColumns,
} from './questions.ts';

/** A question of the bank with its assessment and how many papers had it. */
export interface BankView extends QuestionView {
  quizTitle: string | null;
  timesSeen: number;
}

export interface BankFilter {
  search?: string | undefined;
  tag?: string | undefined;
  type?: QuestionType | undefined;
  categoryId?: string | undefined;
  difficulty?: Difficulty | undefined;
  /** Only questions of this assessment, and those that its sections name. */
  quizId?: string | undefined;
  use?: 'never' | 'bank' | undefined;
  state: 'active' | 'draft' | 'archived';
  createdAt?: string | undefined;
  reach?: Reach;
}

const timesSeen = sql<number>`(select count(*)::int from ${paperQuestions} p
  where p.question_id = ${questions.id})`;

function namesQuestion(): SQL {
  return sql`${quizzes.structure} @> jsonb_build_object('sections', jsonb_build_array(
    jsonb_build_object('items', jsonb_build_array(
      jsonb_build_object('questionId', ${questions.id}::text)))))`;
}

function conditions(filter: BankFilter): SQL | undefined {
  const { search, tag, type, categoryId, difficulty, quizId, use, state, createdAt } = filter;
  const { reach = 'all' } = filter;
  return and(
    isVisible,
    questionWithin(reach),
    state === 'archived' ? isNotNull(questions.archivedAt) : isNull(questions.archivedAt),
    state === 'draft' ? isDraft : undefined,
    createdAt === undefined ? undefined : eq(questions.createdAt, new Date(createdAt)),
    search ? containsPlain(questions.searchText, search) : undefined,
    tag === undefined ? undefined : sql`${questions.tags} @> array[${tag}]::text[]`,
    type === undefined
      ? undefined
      : sql`coalesce(${questionVersions.details} ->> 'type', ${PLAIN_TYPE}) = ${type}`,
    categoryId === undefined ? undefined : eq(questions.categoryId, categoryId),
    difficulty === undefined ? undefined : eq(questions.difficulty, difficulty),
    quizId === undefined
      ? undefined
      : or(
          eq(questions.quizId, quizId),
          sql`exists (select from ${quizzes} where ${quizzes.id} = ${quizId} and ${namesQuestion()})`,
        ),
    use === 'bank' ? isNull(questions.quizId) : undefined,
    use === 'never'
      ? sql`not exists (select from ${paperQuestions} p where p.question_id = ${questions.id})`
      : undefined,
  );
}

function selectBank(db: Queryable) {
  return db
    .select({
      row: questionColumns,
      version: questionVersions,
      quizTitle: quizzes.title,
      timesSeen,
    })
    .from(questions)
    .innerJoin(questionVersions, currentVersion)
    .leftJoin(quizzes, eq(quizzes.id, questions.quizId));
}

/** A page of the bank, newest first. */
export function listBank(
  db: Queryable,
  filter: BankFilter,
  { limit, offset, fromEnd }: PageWindow,
): Promise<BankView[]> {
  const order = fromEnd
    ? [sql`${questions.createdAt} asc nulls last`, sql`${questions.id} asc nulls last`]
    : [sql`${questions.createdAt} desc nulls first`, sql`${questions.id} desc nulls first`];
  return selectBank(db)
    .where(conditions(filter))
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
}

export async function countBank(db: Queryable, filter: BankFilter): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(questions)
    // A left join is left out where no condition is about the version: every question has one.
    .leftJoin(questionVersions, currentVersion)
    .where(conditions(filter));
  return row?.n ?? 0;
}

/** Questions by id, deleted ones left out, in any order. */
export function listBankById(db: Queryable, ids: readonly string[]): Promise<BankView[]> {
  return selectBank(db).where(and(inArray(questions.id, [...ids]), isNull(questions.deletedAt)));
}

/** Locks questions for a change, in the order of their ids. */
export function lockQuestions(tx: Tx, ids: readonly string[]): Promise<QuestionView[]> {
  return tx
    .select({ row: questionColumns, version: questionVersions })
    .from(questions)
    .innerJoin(questionVersions, currentVersion)
    .where(and(inArray(questions.id, [...ids]), isNull(questions.deletedAt)))
    .orderBy(asc(questions.id))
    .for('update', { of: questions });
}

/** The assessments that some questions belong to, in the order of their ids. */
export async function listOwners(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ quizId: questions.quizId })
    .from(questions)
    .where(and(inArray(questions.id, [...ids]), isNull(questions.deletedAt)))
    .orderBy(asc(questions.quizId));
  return rows.flatMap(({ quizId }) => quizId ?? []);
}

/** Assessments that are not archived and have the question as their own or name it in a section. */
export function listUses(db: Queryable, questionId: string, reach: Reach) {
  return db
    .select({ quizId: quizzes.id, title: quizzes.title })
    .from(questions)
    .innerJoin(quizzes, or(eq(quizzes.id, questions.quizId), namesQuestion()))
    .where(and(eq(questions.id, questionId), isNull(quizzes.archivedAt), quizWithin(reach)))
    .orderBy(asc(quizzes.title), asc(quizzes.id));
}

/** Whether a question is an assessment's own, is named by its sections, or was on one of its papers. */
export async function isUsedIn(
  db: Queryable,
  questionId: string,
  quizId: string,
): Promise<boolean> {
  const rows = await db
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        eq(questions.id, questionId),
        or(
          eq(questions.quizId, quizId),
          sql`exists (select from ${quizzes} where ${quizzes.id} = ${quizId} and ${namesQuestion()})`,
          sql`exists (select from ${paperQuestions} p join ${participants} a on a.id = p.participant_id
            where p.question_id = ${questions.id} and a.quiz_id = ${quizId})`,
        ),
      ),
    );
  return rows.length > 0;
}

/** The ids of the given questions that a paper has had, or also that an assessment's section names. */
export async function listUsedQuestions(
  db: Queryable,
  ids: readonly string[],
  by: 'papers' | 'papers and sections',
): Promise<string[]> {
  const rows = await db
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        inArray(questions.id, [...ids]),
        or(
          sql`exists (select from ${paperQuestions} p where p.question_id = ${questions.id})`,
          by === 'papers'
            ? undefined
            : sql`exists (select from ${quizzes} where ${quizzes.archivedAt} is null and ${namesQuestion()})`,
        ),
      ),
    );
  return rows.map(({ id }) => id);
}

export async function changeQuestionRows(
  tx: Tx,
  ids: readonly string[],
  set: Partial<
    Pick<
      QuestionRow,
      'archivedAt' | 'categoryId' | 'difficulty' | 'quizId' | 'orderNumber' | 'tags' | 'note'
    >
  >,
): Promise<void> {
  if (Object.keys(set).length === 0) return;
  await tx
    .update(questions)
    .set(set)
    .where(inArray(questions.id, [...ids]));
}

/** Gives each of several questions its own values, in one statement: the pool of questions is locked. */
export async function changeEachQuestion(
  tx: Tx,
  each: readonly (Pick<QuestionRow, 'id'> & Partial<Pick<QuestionRow, 'orderNumber' | 'tags'>>)[],
): Promise<void> {
  await tx.execute(sql`
    update ${questions} q set order_number = coalesce(e."orderNumber", q.order_number),
      tags = coalesce((select array_agg(tag order by n)
        from jsonb_array_elements_text(e.tags) with ordinality as t(tag, n)),
        case when e.tags is null then q.tags else '{}' end)
    from jsonb_to_recordset(${JSON.stringify(each)}::jsonb)
      as e(id uuid, "orderNumber" int, tags jsonb)
    where q.id = e.id`);
}

/** Tags in use with the number of questions, by name. */
export async function listTags(
  db: Queryable,
  reach: Reach,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await db.execute<{ tag: string; count: number }>(sql`
    select tag, count(*)::int as count from ${questions}, unnest(${questions.tags}) as tag
    where ${and(isVisible, isNull(questions.archivedAt), questionWithin(reach))}
    group by tag order by tag collate "und-x-icu"`);
  return rows;
}

/** Questions as they are now, in any order. */
export const listCurrentVersions = (
  db: Queryable,
  ids: readonly string[],
): Promise<QuestionVersionRow[]> => selectCurrent(db).where(inArray(questions.id, [...ids]));

const selectCurrent = (db: Queryable) =>
  db
    .select(getTableColumns(questionVersions))
    .from(questions)
    .innerJoin(questionVersions, currentVersion);

/** The next questions, by id, with one of these texts among those that imported ones are compared with. */
export function nextByText(
  db: Queryable,
  reach: Reach,
  quizId: string | null,
  texts: readonly string[],
  after: string | null,
  limit: number,
): Promise<QuestionVersionRow[]> {
  return selectCurrent(db)
    .where(
      and(
        isComparedIn(reach, quizId),
        sql`md5(${questionVersions.question}) in (select md5(t) from unnest(${sql.param([...texts])}::text[]) t)`,
        after === null ? undefined : gt(questions.id, after),
      ),
    )
    .orderBy(asc(questions.id))
    .limit(limit);
}
