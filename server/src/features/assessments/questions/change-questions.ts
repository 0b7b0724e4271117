import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { imagesOf } from '@invigil/core/content/content-facts';
import { contentProblems } from '@invigil/core/content/content-problems';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import {
  type QuestionDraft,
  validateQuestion,
} from '@invigil/core/domain/questions/question-options';
import { type VersionContent, versionOf } from '@invigil/core/domain/questions/question-versions';
import {
  type DefinitionProblem,
  validateDefinition,
} from '@invigil/core/domain/questions/validate-definition';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Queryable, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { listImagesByHash } from '../../../db/queries/images.ts';
import {
  deleteQuestionRows,
  highestOrderNumber,
  insertQuestions,
  insertQuestionVersion,
  listQuestions,
  listVersionsOf,
  lockQuestion,
  type QuestionView,
  updateQuestionRow,
} from '../../../db/queries/questions.ts';
import { countAttempts, lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { isWholeVersion, sealedVersion } from '../../../trust/sealed-kinds.ts';
import { keepingRulesMet } from '../structure/keep-rules-met.ts';

/** A validated question with its position. */
export interface PlacedDefinition {
  definition: QuestionDefinition;
  orderNumber: number | undefined;
}

const RICH = 'This question has more than this form can hold. Edit it in the question editor';

/** A question as it was sent, before it is validated. */
export interface RawQuestion {
  question: string;
  options: readonly string[];
  correctAnswer: string;
  orderNumber?: number | undefined;
}

/** Throws INVALID_INPUT with an issue for each problem. */
function requireQuestion(raw: RawQuestion): QuestionDefinition {
  const result = validateQuestion(raw.question, raw.options, raw.correctAnswer);
  if (!result.ok) throw invalidQuestion(result.problems);
  return definitionOfDraft(result.draft);
}

export function definitionOfDraft({ question, options, correctAnswer }: QuestionDraft) {
  return plainDefinition(question, options, correctAnswer);
}

/**
 * A valid definition whose texts can be shown and whose images are stored. Throws INVALID_INPUT with an
 * issue for each problem.
 */
export async function requireDefinition(
  db: Queryable,
  input: QuestionDefinition,
): Promise<QuestionDefinition> {
  const result = validateDefinition(input);
  if (!result.ok) throw invalidQuestion(result.problems);
  const { definition } = result;
  if (definition.format === 'plain') return definition;
  const texts = [];
  for (const { path, text } of textsOf(definition)) {
    const read = () => ({ path, images: imagesOf(text), problems: contentProblems(text) });
    texts.push(await oneAtATime(read));
  }
  const hashes = texts.flatMap(({ images }) => images);
  const stored = new Set((await listImagesByHash(db, hashes)).map(({ hash }) => hash));
  const problems = texts.flatMap(({ path, images, problems }) => [
    ...problems.map(({ line, sentence }) => ({ path, message: `Line ${line}: ${sentence}` })),
    ...images
      .filter((hash) => !stored.has(hash))
      .map(() => ({ path, message: 'An image of this text is not stored here. Add it again' })),
  ]);
  if (problems.length > 0) throw invalidQuestion(problems);
  return definition;
}

let reading: Promise<unknown> = Promise.resolve();

/**
 * Reads one text at a time in this process, and pauses for as long as that took: a long text takes a quarter
 * of a second, several authors may save, and so do candidates.
 */
function oneAtATime<T>(read: () => T): Promise<T> {
  const turn = reading.then(async () => {
    const from = performance.now();
    const result = read();
    await delay(performance.now() - from);
    return result;
  });
  reading = turn.catch(() => undefined);
  return turn;
}

function textsOf({ question, options, explanation }: QuestionDefinition) {
  return [
    { path: 'question', text: question },
    ...options.map(({ text }, i) => ({ path: `options.${i}.text`, text })),
    ...(explanation === undefined ? [] : [{ path: 'explanation', text: explanation }]),
  ];
}

function invalidQuestion(problems: DefinitionProblem[]): AppError {
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
  const added = { definition: requireQuestion(raw), orderNumber: raw.orderNumber };
  const [view] = await addQuestions(ctx, adminId, quizId, [added], now);
  if (!view) throw new Error('a question was added and is not returned');
  return view;
}

/** Adds validated questions in their order, all or nothing. */
export async function addQuestions(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  drafts: readonly PlacedDefinition[],
  now: Date,
): Promise<QuestionView[]> {
  return inTransaction(ctx.db, async (tx) => {
    await requireQuiz(tx, quizId);
    const highest = await highestOrderNumber(tx, quizId);
    const views = drafts.map(({ definition, orderNumber }, index) =>
      firstVersion(ctx, quizId, definition, orderNumber ?? highest + index + 1, now),
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
 * with, so running and ended attempts do not change (product 4.6). Throws NOT_FOUND, STALE, RULES_UNMET.
 */
export async function editQuestion(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  questionId: string,
  raw: RawQuestion & { version?: number | undefined },
  now: Date,
): Promise<QuestionView> {
  const definition = requireQuestion(raw);
  const edit = async (tx: Tx) => {
    await requireQuiz(tx, quizId);
    const found = await lockQuestion(tx, quizId, questionId);
    if (!found) throw new AppError('NOT_FOUND');
    const { row, version } = found;
    if (raw.version !== undefined && raw.version !== row.currentVersion)
      throw new AppError('STALE');
    if (version.details !== null) throw new AppError('INVALID_INPUT', { message: RICH });
    const orderNumber = raw.orderNumber ?? row.orderNumber;
    return addVersion(tx, ctx, adminId, found, definition, { orderNumber }, now);
  };
  const ids = [questionId];
  return inTransaction(ctx.db, (tx) => keepingRulesMet(tx, { ids }, () => edit(tx)));
}

/**
 * Stores the next version of a question that is locked; none if the content stays the same, unless that
 * was changed outside of Invigil: what its author saves is genuine again.
 */
export async function addVersion(
  tx: Tx,
  { keys }: Pick<AppContext, 'keys'>,
  adminId: string,
  { row, version }: QuestionView,
  definition: QuestionDefinition,
  place: { orderNumber?: number },
  now: Date,
): Promise<QuestionView> {
  const earlier = (await listVersionsOf(tx, row.id)).map(({ optionIds, optionTexts }) =>
    optionIds.map((id, i) => ({ id, text: optionTexts[i] ?? '' })),
  );
  const { content, nextId } = versionOf(definition, earlier, row.nextOptionId);
  if (isSameContent(content, version) && isWholeVersion(keys.integrity, version)) {
    await updateQuestionRow(tx, row.id, place);
    return { row: { ...row, ...place }, version };
  }
  const next = sealedVersion(keys.integrity, {
    questionId: row.id,
    version: row.currentVersion + 1,
    ...content,
    correction: null,
    createdAt: now,
  });
  await insertQuestionVersion(tx, next);
  const set = { currentVersion: next.version, nextOptionId: nextId, ...place };
  await updateQuestionRow(tx, row.id, set);
  await recordAudit(tx, {
    adminId,
    action: 'question.edited',
    subject: { type: 'question', id: row.id },
    details: { version: next.version },
    at: now,
  });
  return { row: { ...row, ...set }, version: next };
}

/** Compared as JSON, which is how details are stored: without fields that are undefined. */
function isSameContent(next: VersionContent, stored: VersionContent): boolean {
  const { question, optionIds, optionTexts, correctOptionId, details } = stored;
  const same: VersionContent = { question, optionIds, optionTexts, correctOptionId, details };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(next)), same);
}

/**
 * Deletes questions of a quiz that no one has started, all or none; returns how many. Throws
 * NOT_FOUND, QUESTION_IN_USE, RULES_UNMET.
 */
export async function removeQuestions(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  questionIds: readonly string[],
  now: Date,
): Promise<number> {
  const remove = async (tx: Tx) => {
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
  };
  return inTransaction(ctx.db, (tx) => keepingRulesMet(tx, { ids: questionIds }, () => remove(tx)));
}

/** Locks exclusively: order numbers of concurrent additions must not collide. */
async function requireQuiz(tx: Tx, quizId: string): Promise<void> {
  if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
}

export function firstVersion(
  { keys }: Pick<AppContext, 'keys'>,
  quizId: string | null,
  definition: QuestionDefinition,
  orderNumber: number,
  now: Date,
): QuestionView {
  const id = newId();
  const { content, nextId } = versionOf(definition);
  return {
    row: {
      id,
      quizId,
      orderNumber,
      currentVersion: 1,
      nextOptionId: nextId,
      deletedAt: null,
      archivedAt: null,
      categoryId: null,
      tags: [],
      difficulty: null,
      note: '',
      createdAt: now,
    },
    version: sealedVersion(keys.integrity, {
      questionId: id,
      version: 1,
      ...content,
      correction: null,
      createdAt: now,
    }),
  };
}
