import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { listQuestions, type QuestionView, setOrder } from '../../../db/queries/questions.ts';
import { lockQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';

/**
 * Puts the questions of a quiz into a new order. The ids must be exactly the quiz's: if a question
 * was added or deleted since they were read, nothing changes. Throws NOT_FOUND, STALE.
 */
export async function reorderQuestions(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  ids: readonly string[],
  now: Date,
): Promise<QuestionView[]> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
    const present = new Set((await listQuestions(tx, quizId)).map(({ row }) => row.id));
    const given = new Set(ids);
    const same = given.size === ids.length && present.size === given.size;
    if (!same || ids.some((id) => !present.has(id))) throw new AppError('STALE');
    await setOrder(tx, ids);
    await recordAudit(tx, {
      adminId,
      action: 'questions.reordered',
      subject: { type: 'quiz', id: quizId },
      at: now,
    });
    return listQuestions(tx, quizId);
  });
}
