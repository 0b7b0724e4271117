import { randomBytes } from 'node:crypto';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { drawPaper } from '@invigil/core/domain/questions/draw';
import { drawableOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import { listQuestions } from '../../../db/queries/questions.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { presentDrawn } from '../questions/present.ts';

/**
 * Draws a paper as a start would, and stores nothing. Without the key, because it is shown as
 * a candidate sees it. Throws NOT_FOUND, NO_QUESTIONS.
 */
export async function previewQuiz(ctx: AppContext, quizId: string): Promise<PaperQuestion[]> {
  const quiz = await findQuiz(ctx.db, quizId);
  if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
  const versions = (await listQuestions(ctx.db, quizId)).map(({ version }) => version);
  const drawable = versions.flatMap((version) => drawableOf(version) ?? []);
  if (drawable.length === 0) throw new AppError('NO_QUESTIONS');
  const byId = new Map(versions.map((v) => [v.questionId, v]));
  const paper = drawPaper(drawable, quiz.totalQuestions, randomBytes(16).toString('hex'));
  return paper.flatMap(({ position, questionId, optionOrder }) => {
    const version = byId.get(questionId);
    if (!version) return [];
    const textOf = new Map(version.optionIds.map((id, i) => [id, version.optionTexts[i] ?? '']));
    const content = { question: version.question, details: version.details, textOf };
    return presentDrawn(quizId, { position, questionId, optionOrder, content });
  });
}
