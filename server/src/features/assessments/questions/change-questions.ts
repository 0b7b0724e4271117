import { isDeepStrictEqual } from 'node:util';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { type VersionContent, versionOf } from '@invigil/core/domain/questions/question-versions';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  changeQuestionRows,
  listOwners,
  listUsedQuestions,
  lockQuestions,
} from '../../../db/queries/question-bank.ts';
import {
  deleteQuestionRows,
  highestOrderNumber,
  insertQuestions,
  insertQuestionVersion,
  listVersionsOf,
  type QuestionRow,
  type QuestionView,
  restoreQuestionRows,
  updateQuestionRow,
} from '../../../db/queries/questions.ts';
import { countAttempts, lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Write } from '../../../sessions/command.ts';
import { requireSame } from '../../../sessions/guards.ts';
import { isWholeVersion, sealedVersion } from '../../../trust/sealed-kinds.ts';
import { requireCategory } from '../categories.ts';
import { keepingRulesMet } from '../structure.ts';
import { requireDefinition } from './require-definition.ts';

const richText = (): string =>
  t(
    'server.question.rich',
    'This question has more than this form can hold. Edit it in the question editor',
  );

type LabelFields = Pick<QuestionRow, 'tags' | 'categoryId' | 'difficulty' | 'note'>;
/** Labels to store; those that are absent stay as they are. */
export type Labels = { [K in keyof LabelFields]?: LabelFields[K] | undefined };

export interface NewQuestion {
  definition: QuestionDefinition;
  /** Absent: behind the others. */
  orderNumber?: number | undefined;
  labels?: Labels;
}

/**
 * Adds questions to an assessment, or to the bank only, in their order and all or nothing. Throws
 * INVALID_INPUT, NOT_FOUND.
 */
export async function addQuestions(
  ctx: Pick<BaseContext, 'keys'>,
  write: Write<'questions.added'>,
  quizId: string | null,
  added: readonly NewQuestion[],
): Promise<QuestionView[]> {
  const valid: NewQuestion[] = [];
  for (const question of added) {
    valid.push({ ...question, definition: await requireDefinition(write.tx, question.definition) });
  }
  return insertNew(ctx, write, 'questions.added', quizId, valid);
}

const ROWS_PER_STATEMENT = 200;

/** Stores valid questions and the entry of the audit log. Throws NOT_FOUND. */
export async function insertNew<Action extends 'questions.added' | 'questions.imported'>(
  ctx: Pick<AppContext, 'keys'>,
  { tx, now, record }: Write<Action>,
  action: Action,
  quizId: string | null,
  added: readonly NewQuestion[],
): Promise<QuestionView[]> {
  const orderNumbers = await nextOrderNumbers(tx, quizId, added.length);
  for (const id of new Set(added.map(({ labels }) => labels?.categoryId))) {
    if (id) await requireCategory(tx, id);
  }
  const all: QuestionView[] = [];
  // Not all at once: candidates are saving.
  for (let i = 0; i < added.length; i += ROWS_PER_STATEMENT) {
    const views = added.slice(i, i + ROWS_PER_STATEMENT).map((question, k) => {
      const orderNumber = question.orderNumber ?? orderNumbers[i + k] ?? 1;
      const { row, version } = firstVersion(ctx, quizId, question.definition, orderNumber, now);
      return { row: { ...row, ...withoutUndefined(question.labels ?? {}) }, version };
    });
    await insertQuestions(tx, views);
    all.push(...views);
  }
  const [first] = all;
  const subject = quizId
    ? (['quiz', quizId] as const)
    : first && all.length === 1
      ? (['question', first.row.id] as const)
      : null;
  await record(action, subject, { count: all.length });
  return all;
}

type Edited = 'question.edited' | 'question.labeled';

/** Changes of a question; absent values stay as they are. */
export interface QuestionChange extends Labels {
  definition?: QuestionDefinition | undefined;
  orderNumber?: number | undefined;
  /** The version that was edited: another one that is stored is STALE. */
  version?: number | undefined;
  /** Labels as they were read: others that are stored are STALE. */
  labelsBefore?: Labels | undefined;
}

/**
 * Edits a question. New content is a version for later starts: papers keep the version they were drawn
 * with, so running and ended attempts do not change (product 4.6). Throws INVALID_INPUT, NOT_FOUND,
 * STALE, RULES_UNMET.
 *
 * @param quizId the specification's form: a plain question of this assessment
 */
export async function editQuestion(
  ctx: Pick<BaseContext, 'keys'>,
  write: Write<Edited>,
  id: string,
  { definition, orderNumber, version, labelsBefore = {}, ...labels }: QuestionChange,
  quizId?: string,
): Promise<QuestionView> {
  const { tx, actor, record } = write;
  const valid = definition && (await requireDefinition(tx, definition));
  const edit = async () => {
    if (quizId !== undefined) await lockQuizOf(tx, quizId);
    const [found] = await lockQuestions(tx, [id]);
    if (!found || (quizId !== undefined && found.row.quizId !== quizId)) {
      throw new AppError('NOT_FOUND');
    }
    if (version !== undefined && version !== found.row.currentVersion) throw new AppError('STALE');
    const { tags, categoryId, difficulty, note } = found.row;
    const stored = { tags, categoryId, difficulty, note };
    // Two who edit the same label would otherwise both succeed, and one of them lose it.
    requireSame({ ...stored, ...withoutUndefined(labelsBefore) }, stored);
    if (quizId !== undefined && found.version.details !== null) {
      throw new AppError('INVALID_INPUT', { message: richText() });
    }
    const view = valid ? await addVersion(ctx, write, found, valid) : found;
    if (labels.categoryId) await requireCategory(tx, labels.categoryId);
    const changed = withoutUndefined(labels);
    const set = { ...changed, ...withoutUndefined({ orderNumber }) };
    await changeQuestionRows(tx, [id], set);
    if (Object.keys(changed).length > 0) {
      await recordLabels(write, [id], Object.keys(changed));
    }
    if (orderNumber !== undefined && orderNumber !== found.row.orderNumber && view === found) {
      await record('question.edited', ['question', id], { orderNumber });
    }
    return { row: { ...view.row, ...set }, version: view.version };
  };
  return keepingRulesMet(tx, { ids: [id] }, actor.reach, edit);
}

/**
 * Stores the next version of a question that is locked; none if the content stays the same, unless that
 * was changed outside of Invigil: what its author saves is genuine again.
 */
async function addVersion(
  { keys }: Pick<AppContext, 'keys'>,
  { tx, now, record }: Write<'question.edited'>,
  view: QuestionView,
  definition: QuestionDefinition,
): Promise<QuestionView> {
  const { row, version } = view;
  const earlier = (await listVersionsOf(tx, row.id)).map(({ optionIds, optionTexts }) =>
    optionIds.map((id, i) => ({ id, text: optionTexts[i] ?? '' })),
  );
  const { content, nextId } = versionOf(definition, earlier, row.nextOptionId);
  if (isSameContent(content, version) && isWholeVersion(keys.integrity, version)) return view;
  const next = sealedVersion(keys.integrity, {
    questionId: row.id,
    version: row.currentVersion + 1,
    ...content,
    correction: null,
    createdAt: now,
  });
  await insertQuestionVersion(tx, next);
  const set = { currentVersion: next.version, nextOptionId: nextId };
  await updateQuestionRow(tx, row.id, set);
  await record('question.edited', ['question', row.id], { version: next.version });
  return { row: { ...row, ...set }, version: next };
}

/** Compared as JSON, which is how details are stored: without fields that are undefined. */
function isSameContent(next: VersionContent, stored: VersionContent): boolean {
  const { question, optionIds, optionTexts, correctOptionId, details } = stored;
  const same: VersionContent = { question, optionIds, optionTexts, correctOptionId, details };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(next)), same);
}

/**
 * Deletes questions of assessments that no one has started, all or none; returns how many. Throws
 * NOT_FOUND, QUESTION_IN_USE, RULES_UNMET.
 *
 * @param quizId all of them are of this assessment; without it, none may be on a paper or in a section
 */
export async function removeQuestions(
  { tx, actor, now, recordAll }: Write<'question.deleted'>,
  questionIds: readonly string[],
  quizId?: string,
): Promise<number> {
  const ids = [...new Set(questionIds)];
  const remove = async () => {
    if (quizId !== undefined) await lockQuizOf(tx, quizId);
    const owners = await listOwners(tx, ids);
    if (quizId !== undefined && owners.some((owner) => owner !== quizId)) {
      throw new AppError('NOT_FOUND');
    }
    await requireNotStarted(tx, owners);
    const found = await lockQuestions(tx, ids);
    const isOwn = found.every(({ row }) => quizId === undefined || row.quizId === quizId);
    if (found.length < ids.length || !isOwn) throw new AppError('NOT_FOUND');
    // A section of the question's own assessment may name it: that is checked by the rules.
    const by = quizId === undefined ? 'papers and sections' : 'papers';
    if ((await listUsedQuestions(tx, ids, by)).length > 0) {
      throw new AppError('QUESTION_IN_USE', {
        message: t(
          /* a paper: the questions that a candidate got */ 'server.question.inUse',
          'A question that a paper has had, or that a section names, can only be archived',
        ),
      });
    }
    await deleteQuestionRows(tx, ids, now);
    const removed = ids.map((id) => ({ id, details: {} }));
    await recordAll('question.deleted', 'question', removed);
    return ids.length;
  };
  return keepingRulesMet(tx, { ids }, actor.reach, remove);
}

/** Puts deleted questions back in their places. Throws NOT_FOUND. */
export async function restoreQuestions(
  { tx, recordAll }: Write<'question.restored'>,
  questionIds: readonly string[],
): Promise<number> {
  const ids = [...new Set(questionIds)];
  if ((await restoreQuestionRows(tx, ids)) < ids.length) throw new AppError('NOT_FOUND');
  const restored = ids.map((id) => ({ id, details: {} }));
  await recordAll('question.restored', 'question', restored);
  return ids.length;
}

/**
 * A question neither leaves an assessment that someone has started nor is deleted from it. Before the
 * questions are locked: a start locks the assessment first (shared, so that none comes between count and
 * change), then the questions on its paper.
 */
export async function requireNotStarted(tx: Tx, quizIds: readonly string[]): Promise<void> {
  for (const quizId of quizIds) {
    await lockQuiz(tx, quizId, 'update');
    if ((await countAttempts(tx, quizId)) > 0) throw new AppError('QUESTION_IN_USE');
  }
}

/** The next order numbers of an assessment, which is locked; of the bank, ones. Throws NOT_FOUND. */
export async function nextOrderNumbers(
  tx: Tx,
  quizId: string | null,
  count: number,
): Promise<number[]> {
  if (quizId === null) return Array.from({ length: count }, () => 1);
  await lockQuizOf(tx, quizId);
  const highest = await highestOrderNumber(tx, quizId);
  return Array.from({ length: count }, (_, i) => highest + i + 1);
}

/** Locks exclusively: order numbers of concurrent additions must not collide. */
export async function lockQuizOf(tx: Tx, quizId: string): Promise<void> {
  if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
}

export function recordLabels(
  { recordAll }: Write<'question.labeled'>,
  ids: readonly string[],
  fields: string[],
): Promise<void> {
  const labeled = ids.map((id) => ({ id, details: { fields } }));
  return recordAll('question.labeled', 'question', labeled);
}

/** Fields that are given. */
export function withoutUndefined<T extends object>(fields: T) {
  type Given = { [K in keyof T]?: Exclude<T[K], undefined> };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given;
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
