import { randomBytes } from 'node:crypto';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { drawPaper } from '@invigil/core/domain/questions/draw';
import type { AppContext } from '../../../app-context.ts';
import { listQuestions } from '../../../db/queries/questions.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';

/**
 * Draws a paper as a start would, and stores nothing. Without the key, because it is shown as
 * a candidate sees it. Throws NOT_FOUND, NO_QUESTIONS.
 */
export async function previewQuiz(ctx: AppContext, quizId: string): Promise<PaperQuestion[]> {
  const quiz = await findQuiz(ctx.db, quizId);
  if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
  const versions = (await listQuestions(ctx.db, quizId)).map(({ version }) => version);
  if (versions.length === 0) throw new AppError('NO_QUESTIONS');
  const drawable = versions.map((v) => ({
    questionId: v.questionId,
    version: v.version,
    optionIds: v.optionIds,
  }));
  const byId = new Map(versions.map((v) => [v.questionId, v]));
  return drawPaper(drawable, quiz.totalQuestions, randomBytes(16).toString('hex')).map(
    ({ position, questionId, optionOrder }) => {
      const version = byId.get(questionId);
      return {
        id: questionId,
        quizId,
        type: 'multiple_choice',
        question: version?.question ?? '',
        options: optionOrder.map((o) => version?.optionTexts[version.optionIds.indexOf(o)] ?? ''),
        orderNumber: position,
      };
    },
  );
}
