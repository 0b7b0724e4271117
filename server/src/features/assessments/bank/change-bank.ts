import { isDeepStrictEqual } from 'node:util';
import type {
  addToBank,
  changeBankQuestion,
  changeBankQuestions,
} from '@invigil/core/contract/assessments/bank';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import {
  type BankView,
  changeQuestionRows,
  listBankById,
  listOwners,
  listUsedQuestions,
  lockQuestions,
} from '../../../db/queries/question-bank.ts';
import {
  deleteQuestionRows,
  highestOrderNumber,
  insertQuestions,
  type QuestionView,
} from '../../../db/queries/questions.ts';
import { countAttempts, lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { requireCategory } from '../categories/change-categories.ts';
import { addVersion, firstVersion, requireDefinition } from '../questions/change-questions.ts';
import { keepingRulesMet } from '../structure/keep-rules-met.ts';

type Added = ParsedBodyOf<typeof addToBank>;
type Changed = ParsedBodyOf<typeof changeBankQuestion>;
type ChangedMany = ParsedBodyOf<typeof changeBankQuestions>;

/** Throws INVALID_INPUT, NOT_FOUND. */
export async function addBankQuestion(
  ctx: AppContext,
  adminId: string,
  { definition, quizId = null, ...labels }: Added,
  now: Date,
): Promise<BankView> {
  const valid = await requireDefinition(ctx.db, definition);
  const id = await inTransaction(ctx.db, async (tx) => {
    const [orderNumber] = await orderIn(tx, quizId, 1);
    if (labels.categoryId) await requireCategory(tx, labels.categoryId);
    const view = firstVersion(ctx, quizId, valid, orderNumber ?? 1, now);
    await insertQuestions(tx, [{ ...view, row: { ...view.row, ...withoutUndefined(labels) } }]);
    await recordAudit(tx, {
      adminId,
      action: 'questions.added',
      subject: quizId ? { type: 'quiz', id: quizId } : { type: 'question', id: view.row.id },
      details: { count: 1 },
      at: now,
    });
    return view.row.id;
  });
  return getBankView(ctx, id);
}

/** Throws INVALID_INPUT, NOT_FOUND, STALE, RULES_UNMET. */
export async function editBankQuestion(
  ctx: AppContext,
  adminId: string,
  id: string,
  { definition, version, labelsBefore = {}, ...labels }: Changed,
  now: Date,
): Promise<BankView> {
  const valid = definition && (await requireDefinition(ctx.db, definition));
  const edit = async (tx: Tx) => {
    const found = await lockOne(tx, id);
    if (version !== undefined && version !== found.row.currentVersion) throw new AppError('STALE');
    const { tags, categoryId, difficulty, note } = found.row;
    const stored = { tags, categoryId, difficulty, note };
    // Two who edit the same label would otherwise both succeed, and one of them lose it.
    if (!isDeepStrictEqual({ ...stored, ...withoutUndefined(labelsBefore) }, stored)) {
      throw new AppError('STALE');
    }
    if (valid) await addVersion(tx, ctx, adminId, found, valid, {}, now);
    if (labels.categoryId) await requireCategory(tx, labels.categoryId);
    const set = withoutUndefined(labels);
    await changeQuestionRows(tx, [id], set);
    if (Object.keys(set).length > 0) await auditLabels(tx, adminId, id, Object.keys(set), now);
  };
  await inTransaction(ctx.db, (tx) => keepingRulesMet(tx, { ids: [id] }, () => edit(tx)));
  return getBankView(ctx, id);
}

/** Throws NOT_FOUND, QUESTION_IN_USE, RULES_UNMET. */
export async function changeMany(
  ctx: AppContext,
  adminId: string,
  { ids, addTags = [], removeTags = [], isArchived, isDeleted, ...rest }: ChangedMany,
  now: Date,
): Promise<number> {
  const changeAll = async (tx: Tx) => {
    const owners = rest.quizId !== undefined || isDeleted ? await listOwners(tx, ids) : [];
    await requireNotStarted(
      tx,
      owners.filter((owner) => owner !== rest.quizId),
    );
    if (rest.quizId && !(await lockQuiz(tx, rest.quizId, 'update')))
      throw new AppError('NOT_FOUND');
    const found = await lockQuestions(tx, ids);
    if (found.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    const all = found.map(({ row }) => row.id);
    if (rest.categoryId) await requireCategory(tx, rest.categoryId);
    if (rest.quizId !== undefined) await moveTo(tx, found, rest.quizId);
    const archivedAt = isArchived === undefined ? {} : { archivedAt: isArchived ? now : null };
    const { categoryId, difficulty } = rest;
    await changeQuestionRows(tx, all, {
      ...withoutUndefined({ categoryId, difficulty }),
      ...archivedAt,
    });
    for (const { row } of addTags.length + removeTags.length > 0 ? found : []) {
      const tags = [...new Set([...row.tags, ...addTags])].filter(
        (tag) => !removeTags.includes(tag),
      );
      await changeQuestionRows(tx, [row.id], { tags });
    }
    if (isDeleted) await deleteUnused(tx, all, now);
    const fields = Object.keys(withoutUndefined({ addTags, removeTags, isArchived, ...rest }));
    for (const id of all) {
      if (isDeleted) {
        const subject = { type: 'question', id } as const;
        await recordAudit(tx, { adminId, action: 'question.deleted', subject, at: now });
      } else await auditLabels(tx, adminId, id, fields, now);
    }
    return all.length;
  };
  return inTransaction(ctx.db, (tx) => keepingRulesMet(tx, { ids }, () => changeAll(tx)));
}

async function deleteUnused(tx: Tx, ids: string[], now: Date): Promise<void> {
  if ((await listUsedQuestions(tx, ids)).length > 0) {
    throw new AppError('QUESTION_IN_USE', {
      message: 'A question that a paper has had, or that a section names, can only be archived',
    });
  }
  await deleteQuestionRows(tx, ids, now);
}

/**
 * A question neither leaves an assessment that someone has started nor is deleted from it. Before the
 * questions are locked: a start locks the assessment first, then the questions on its paper.
 */
async function requireNotStarted(tx: Tx, quizIds: readonly string[]): Promise<void> {
  for (const quizId of quizIds) {
    await lockQuiz(tx, quizId, 'update');
    if ((await countAttempts(tx, quizId)) > 0) throw new AppError('QUESTION_IN_USE');
  }
}

async function moveTo(
  tx: Tx,
  found: readonly QuestionView[],
  quizId: string | null,
): Promise<void> {
  const moved = found.filter(({ row }) => row.quizId !== quizId);
  const orders = await orderIn(tx, quizId, moved.length);
  for (const [i, { row }] of moved.entries()) {
    await changeQuestionRows(tx, [row.id], { quizId, orderNumber: orders[i] ?? 1 });
  }
}

/** The next order numbers of an assessment, which is locked; of the bank, ones. */
export async function orderIn(tx: Tx, quizId: string | null, count: number): Promise<number[]> {
  if (quizId === null) return Array.from({ length: count }, () => 1);
  if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
  const highest = await highestOrderNumber(tx, quizId);
  return Array.from({ length: count }, (_, i) => highest + i + 1);
}

async function lockOne(tx: Tx, id: string): Promise<QuestionView> {
  const [found] = await lockQuestions(tx, [id]);
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}

async function getBankView(ctx: AppContext, id: string): Promise<BankView> {
  const [view] = await listBankById(ctx.db, [id]);
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

function auditLabels(tx: Tx, adminId: string, id: string, fields: string[], now: Date) {
  const subject = { type: 'question', id } as const;
  return recordAudit(tx, {
    adminId,
    action: 'question.labeled',
    subject,
    details: { fields },
    at: now,
  });
}

/** Fields that the body omits stay. */
function withoutUndefined<T extends object>(fields: T) {
  type Given = { [K in keyof T]?: Exclude<T[K], undefined> };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given;
}
