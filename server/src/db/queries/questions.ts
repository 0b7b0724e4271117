import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  max,
  sql,
} from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { insertInPortions } from '../portions.ts';
import { prepared } from '../prepared.ts';
import { questions, questionVersions } from '../schema/assessments.ts';

const { searchText: _, ...columns } = getTableColumns(questions);

/** The columns of a question without the text for searches. */
export const questionColumns = columns;
export type QuestionRow = Omit<typeof questions.$inferSelect, 'searchText'>;
export type QuestionVersionRow = typeof questionVersions.$inferSelect;

export interface QuestionView {
  row: QuestionRow;
  version: QuestionVersionRow;
}

/**
 * SHA-256 of a version's texts in hexadecimal, as `digestOfTexts` makes it: whoever reads a key can
 * check its seal without reading the texts.
 */
const textsDigest = sql<string>`encode(sha256(convert_to(
  to_json(array_prepend(${questionVersions.question}, ${questionVersions.optionTexts}))::text,
  'UTF8')), 'hex')`;

/** The columns of a version that scoring reads and its seal covers. */
export const keyColumns = {
  questionId: questionVersions.questionId,
  correctOptionId: questionVersions.correctOptionId,
  correction: questionVersions.correction,
  details: questionVersions.details,
  optionIds: questionVersions.optionIds,
  textsDigest,
  seal: questionVersions.seal,
};

export const currentVersion = and(
  eq(questionVersions.questionId, questions.id),
  eq(questionVersions.version, questions.currentVersion),
);

function selectQuestions(db: Queryable) {
  return db
    .select({ row: questionColumns, version: questionVersions })
    .from(questions)
    .innerJoin(questionVersions, currentVersion);
}

/** A quiz's own questions in their order, each with its current version; without archived ones. */
export function listQuestions(db: Queryable, quizId: string): Promise<QuestionView[]> {
  return prepared(db, 'questions', (on) =>
    selectQuestions(on)
      .where(
        and(
          eq(questions.quizId, sql.placeholder('quizId')),
          isNull(questions.deletedAt),
          isNull(questions.archivedAt),
        ),
      )
      .orderBy(asc(questions.orderNumber), asc(questions.id)),
  ).execute({ quizId });
}

export async function highestOrderNumber(db: Queryable, quizId: string): Promise<number> {
  const row = onlyRow(
    await db
      .select({ n: max(questions.orderNumber) })
      .from(questions)
      .where(and(eq(questions.quizId, quizId), isNull(questions.deletedAt))),
  );
  return row.n ?? 0;
}

/** Stores questions with their first versions; call it in a transaction. */
export async function insertQuestions(tx: Tx, views: QuestionView[]): Promise<void> {
  await insertInPortions(
    tx,
    questions,
    views.map((v) => v.row),
  );
  await insertInPortions(
    tx,
    questionVersions,
    views.map((v) => v.version),
  );
}

export async function insertQuestionVersion(tx: Tx, version: QuestionVersionRow): Promise<void> {
  await tx.insert(questionVersions).values(version);
}

export async function updateQuestionRow(
  tx: Tx,
  id: string,
  set: Pick<QuestionRow, 'currentVersion' | 'nextOptionId'>,
): Promise<void> {
  await tx.update(questions).set(set).where(eq(questions.id, id));
}

/** Takes a deletion back; returns how many were deleted. */
export async function restoreQuestionRows(tx: Tx, ids: string[]): Promise<number> {
  const { rowCount } = await tx
    .update(questions)
    .set({ deletedAt: null })
    .where(and(inArray(questions.id, ids), isNotNull(questions.deletedAt)));
  return rowCount ?? 0;
}

/** Papers keep their versions. */
export async function deleteQuestionRows(tx: Tx, ids: string[], now: Date): Promise<void> {
  await tx.update(questions).set({ deletedAt: now }).where(inArray(questions.id, ids));
}

/** Versions by id and number, for papers. */
export async function listQuestionVersions(
  db: Queryable,
  wanted: readonly { questionId: string; version: number }[],
): Promise<QuestionVersionRow[]> {
  if (wanted.length === 0) return [];
  const keys = new Set(wanted.map((w) => `${w.questionId}/${w.version}`));
  const rows = await prepared(db, 'question-versions', (on) =>
    on
      .select()
      .from(questionVersions)
      .where(sql`${questionVersions.questionId} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids: [...new Set(wanted.map((w) => w.questionId))] });
  return rows.filter((row) => keys.has(`${row.questionId}/${row.version}`));
}

/** All versions of a question, newest first. */
export function listVersionsOf(db: Queryable, questionId: string): Promise<QuestionVersionRow[]> {
  return db
    .select()
    .from(questionVersions)
    .where(eq(questionVersions.questionId, questionId))
    .orderBy(desc(questionVersions.version));
}

/** Changes what a version scores by. */
export async function setKeyOfVersion(
  tx: Tx,
  { questionId, version }: QuestionVersionRow,
  key: Partial<Pick<QuestionVersionRow, 'correctOptionId' | 'details' | 'correction'>>,
): Promise<void> {
  await tx
    .update(questionVersions)
    .set(key)
    .where(and(eq(questionVersions.questionId, questionId), eq(questionVersions.version, version)));
}

/** Numbers questions 1, 2, 3 … in the given order. */
export async function setOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update ${questions} q set order_number = o.n
    from unnest(${sql.param([...ids])}::uuid[]) with ordinality as o(id, n)
    where q.id = o.id`);
}
