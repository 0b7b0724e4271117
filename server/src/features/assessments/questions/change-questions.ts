import {
  assignOptionIds,
  type QuestionDraft,
  type QuestionProblem,
  validateQuestion,
} from '@invigil/core/domain/questions/question-options';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { recordAudit } from '../../../db/queries/audit.ts';
import {
  deleteQuestionRows,
  highestOrderNumber,
  insertQuestions,
  insertQuestionVersion,
  listQuestions,
  lockQuestion,
  type QuestionView,
  updateQuestionRow,
} from '../../../db/queries/questions.ts';
import { countAttempts, lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';

/** A question as it was sent, before it is validated. */
export interface RawQuestion {
  question: string;
  options: readonly string[];
  correctAnswer: string;
  orderNumber?: number | undefined;
}

/** Throws INVALID_INPUT with an issue for each problem. */
function requireQuestion(raw: RawQuestion): QuestionDraft {
  const result = validateQuestion(raw.question, raw.options, raw.correctAnswer);
  if (result.ok) return result.draft;
  throw invalidQuestion(result.problems);
}

function invalidQuestion(problems: QuestionProblem[]): AppError {
  return new AppError('INVALID_INPUT', {
    ...(problems[0] ? { message: problems[0].message } : {}),
    issues: problems,
  });
}

/** Adds one question at the end, or at `orderNumber`. */
export async function addQuestion(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  raw: RawQuestion,
  now: Date,
): Promise<QuestionView> {
  const draft = requireQuestion(raw);
  const [view] = await addQuestions(
    ctx,
    adminId,
    quizId,
    [{ draft, orderNumber: raw.orderNumber }],
    now,
  );
  if (!view) throw new Error('a question was added and is not returned');
  return view;
}

/** Adds validated questions in their order, all or nothing. */
export async function addQuestions(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  drafts: readonly { draft: QuestionDraft; orderNumber: number | undefined }[],
  now: Date,
): Promise<QuestionView[]> {
  return inTransaction(ctx.db, async (tx) => {
    await requireQuiz(tx, quizId);
    const highest = await highestOrderNumber(tx, quizId);
    const views = drafts.map(({ draft, orderNumber }, index) =>
      firstVersion(quizId, draft, orderNumber ?? highest + index + 1, now),
    );
    if (views.length > 0) await insertQuestions(tx, views);
    await recordAudit(tx, {
      adminId,
      action: 'questions.added',
      subject: { type: 'quiz', id: quizId },
      details: { count: views.length },
      at: now,
    });
    return views;
  });
}

/**
 * Edits a question by adding a version for later starts. Papers keep the version they were drawn
 * with, so running and ended attempts do not change (product 4.6). Throws NOT_FOUND or STALE.
 */
export async function editQuestion(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  questionId: string,
  raw: RawQuestion & { version?: number | undefined },
  now: Date,
): Promise<QuestionView> {
  const draft = requireQuestion(raw);
  return inTransaction(ctx.db, async (tx) => {
    await requireQuiz(tx, quizId);
    const found = await lockQuestion(tx, quizId, questionId);
    if (!found) throw new AppError('NOT_FOUND');
    const { row, version } = found;
    if (raw.version !== undefined && raw.version !== row.currentVersion)
      throw new AppError('STALE');
    const earlier = version.optionIds.map((id, i) => ({ id, text: version.optionTexts[i] ?? '' }));
    const { options, nextId } = assignOptionIds(draft.options, earlier, row.nextOptionId);
    const next = {
      questionId,
      version: row.currentVersion + 1,
      question: draft.question,
      optionIds: options.map((o) => o.id),
      optionTexts: options.map((o) => o.text),
      correctOptionId: idOf(options, draft.correctAnswer),
      createdAt: now,
    };
    await insertQuestionVersion(tx, next);
    const set = {
      currentVersion: next.version,
      nextOptionId: nextId,
      orderNumber: raw.orderNumber ?? row.orderNumber,
    };
    await updateQuestionRow(tx, questionId, set);
    await recordAudit(tx, {
      adminId,
      action: 'question.edited',
      subject: { type: 'question', id: questionId },
      details: { version: next.version },
      at: now,
    });
    return { row: { ...row, ...set }, version: next };
  });
}

/**
 * Deletes questions of a quiz that no one has started, all or none; returns how many. Throws
 * NOT_FOUND or QUESTION_IN_USE.
 */
export async function removeQuestions(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  questionIds: readonly string[],
  now: Date,
): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    // Exclusive, while a start locks the quiz shared: no start comes between count and deletion.
    if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
    const present = new Set((await listQuestions(tx, quizId)).map(({ row }) => row.id));
    const ids = [...new Set(questionIds)];
    if (ids.some((id) => !present.has(id))) throw new AppError('NOT_FOUND');
    if ((await countAttempts(tx, quizId)) > 0) throw new AppError('QUESTION_IN_USE');
    await deleteQuestionRows(tx, ids, now);
    for (const id of ids) {
      await recordAudit(tx, {
        adminId,
        action: 'question.deleted',
        subject: { type: 'question', id },
        at: now,
      });
    }
    return ids.length;
  });
}

/** Locks exclusively: order numbers of concurrent additions must not collide. */
async function requireQuiz(tx: Tx, quizId: string): Promise<void> {
  if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
}

function firstVersion(
  quizId: string,
  draft: QuestionDraft,
  orderNumber: number,
  now: Date,
): QuestionView {
  const id = newId();
  const { options, nextId } = assignOptionIds(draft.options, [], 1);
  return {
    row: {
      id,
      quizId,
      orderNumber,
      currentVersion: 1,
      nextOptionId: nextId,
      deletedAt: null,
      createdAt: now,
    },
    version: {
      questionId: id,
      version: 1,
      question: draft.question,
      optionIds: options.map((o) => o.id),
      optionTexts: options.map((o) => o.text),
      correctOptionId: idOf(options, draft.correctAnswer),
      createdAt: now,
    },
  };
}

function idOf(options: readonly { id: number; text: string }[], text: string): number {
  const found = options.find((o) => o.text === text);
  if (!found) throw new Error('the correct answer passed validation and is not an option');
  return found.id;
}
