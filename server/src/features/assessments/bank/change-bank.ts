import type { changeBankQuestions } from '@invigil/core/contract/assessments/bank';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import {
  changeQuestionRows,
  listOwners,
  lockQuestions,
} from '../../../db/queries/question-bank.ts';
import { lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireCategory } from '../categories/change-categories.ts';
import {
  auditLabels,
  nextOrderNumbers,
  removeQuestions,
  requireNotStarted,
  withoutUndefined,
} from '../questions/change-questions.ts';
import { keepingRulesMet } from '../structure/keep-rules-met.ts';

/** Changes several questions, or deletes them. Throws NOT_FOUND, QUESTION_IN_USE, RULES_UNMET. */
export async function changeMany(
  ctx: BaseContext,
  adminId: string,
  { ids, isDeleted, ...change }: ParsedBodyOf<typeof changeBankQuestions>,
  now: Date,
): Promise<number> {
  if (isDeleted) return removeQuestions(ctx, adminId, ids, now);
  const { addTags = [], removeTags = [], isArchived, quizId, categoryId, difficulty } = change;
  const changeAll = async (tx: Tx) => {
    if (quizId !== undefined) {
      const owners = await listOwners(tx, ids);
      await requireNotStarted(
        tx,
        owners.filter((owner) => owner !== quizId),
      );
    }
    if (quizId && !(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
    const found = await lockQuestions(tx, ids);
    if (found.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    const all = found.map(({ row }) => row.id);
    if (categoryId) await requireCategory(tx, categoryId);
    if (quizId !== undefined) {
      const moved = found.filter(({ row }) => row.quizId !== quizId);
      const orderNumbers = await nextOrderNumbers(tx, quizId, moved.length);
      for (const [i, { row }] of moved.entries()) {
        await changeQuestionRows(tx, [row.id], { quizId, orderNumber: orderNumbers[i] ?? 1 });
      }
    }
    const archivedAt = isArchived === undefined ? {} : { archivedAt: isArchived ? now : null };
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
    const fields = Object.keys(withoutUndefined(change));
    for (const id of all) await auditLabels(tx, adminId, id, fields, now);
    return all.length;
  };
  return inTransaction(ctx.db, (tx) => keepingRulesMet(tx, { ids }, () => changeAll(tx)));
}
