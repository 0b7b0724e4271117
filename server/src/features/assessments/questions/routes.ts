import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { addQuestion, editQuestion, removeQuestions } from './change-questions.ts';
import { importFile, importRows } from './import-questions.ts';
import { presentQuestion } from './present.ts';
import { reorderQuestions } from './reorder-questions.ts';

export function questionHandlers(ctx: AppContext) {
  return {
    async createQuestion({ params, body, session, now }) {
      requireSameQuiz(params.id, body.quizId);
      const view = await addQuestion(ctx, session.adminId, params.id, body, now);
      return { status: 201, body: presentQuestion(view) };
    },
    async updateQuestion({ params, body, session, now }) {
      requireSameQuiz(params.id, body.quizId);
      const view = await editQuestion(
        ctx,
        session.adminId,
        params.id,
        params.questionId,
        body,
        now,
      );
      return { status: 200, body: presentQuestion(view) };
    },
    async deleteQuestion({ params, session, now }) {
      await removeQuestions(ctx, session.adminId, params.id, [params.questionId], now);
      return { status: 204 };
    },
    async deleteQuestions({ params, body, session, now }) {
      const deleted = await removeQuestions(ctx, session.adminId, params.id, body.ids, now);
      return { status: 200, body: { deleted } };
    },
    async importQuestions({ params, query, body, session, now }) {
      const keepFirstRow = query.keepFirstRow === 'true';
      const views =
        body instanceof Uint8Array
          ? await importFile(ctx, session.adminId, params.id, body, keepFirstRow, now)
          : await importRows(ctx, session.adminId, params.id, body.questions, now);
      return {
        status: 201,
        body: { created: views.length, questions: views.map(presentQuestion) },
      };
    },
    async reorderQuestions({ params, body, session, now }) {
      const views = await reorderQuestions(ctx, session.adminId, params.id, body.ids, now);
      return { status: 200, body: views.map(presentQuestion) };
    },
  } satisfies Handlers;
}

/** The body may name the assessment too (seed 7); if it does, it must be the same one. */
function requireSameQuiz(quizId: string, named: string | undefined): void {
  if (named !== undefined && named !== quizId) throw new AppError('NOT_FOUND');
}
