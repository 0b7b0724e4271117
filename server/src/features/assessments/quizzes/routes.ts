import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { BaseContext } from '../../../app-context.ts';
import { listQuestionVersions } from '../../../db/queries/questions.ts';
import { findQuiz, listQuizzes } from '../../../db/queries/quizzes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { openDraw } from '../questions/open-draw.ts';
import { presentDrawn, shownOf } from '../questions/present.ts';
import { archiveQuiz, editQuiz, makeQuiz } from './change-quiz.ts';
import { duplicateQuiz } from './duplicate-quiz.ts';
import { presentQuiz } from './present.ts';

export function quizHandlers(ctx: BaseContext) {
  return {
    async listQuizzes({ now }) {
      const rows = await listQuizzes(ctx.db);
      return { status: 200, body: rows.map((row) => presentQuiz(row, now)) };
    },
    async createQuiz({ body, session, now }) {
      const row = await makeQuiz(ctx, session.adminId, body, now);
      return { status: 201, body: presentQuiz(row, now) };
    },
    async updateQuiz({ params, body, session, now }) {
      const row = await editQuiz(ctx, session, params.id, body, now);
      return { status: 200, body: presentQuiz(row, now) };
    },
    async deleteQuiz({ params, session, now }) {
      await archiveQuiz(ctx, session.adminId, params.id, now);
      return { status: 204 };
    },
    async duplicateQuiz({ params, session, now }) {
      const row = await duplicateQuiz(ctx, session.adminId, params.id, now);
      return { status: 201, body: presentQuiz(row, now) };
    },
    async previewQuiz({ params }) {
      return { status: 200, body: await previewQuiz(ctx, params.id) };
    },
  } satisfies Handlers;
}

/**
 * Draws a paper as a start would, and stores nothing. Without the key, because it is shown as
 * a candidate sees it. Throws NOT_FOUND, NO_QUESTIONS.
 */
async function previewQuiz(ctx: BaseContext, quizId: string): Promise<PaperQuestion[]> {
  const quiz = await findQuiz(ctx.db, quizId);
  if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
  const draw = await openDraw(ctx.db, quiz);
  if (!draw) throw new AppError('NO_QUESTIONS');
  const { paper, ...drawn } = draw();
  const wanted = paper.map(({ questionId, version }) => ({ questionId, version }));
  const byId = new Map((await listQuestionVersions(ctx.db, wanted)).map((v) => [v.questionId, v]));
  return paper.flatMap(({ position, questionId, optionOrder }) => {
    const version = byId.get(questionId);
    if (!version) return [];
    const textOf = new Map(version.optionIds.map((id, i) => [id, version.optionTexts[i] ?? '']));
    const content = {
      question: version.question,
      details: version.details && shownOf(version.details),
      textOf,
    };
    return presentDrawn(quizId, { position, questionId, optionOrder, content }, drawn);
  });
}
