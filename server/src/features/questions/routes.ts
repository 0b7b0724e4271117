import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { addQuestion, editQuestion, removeQuestions } from './change-questions.ts';
import { importFile, importRows } from './import-questions.ts';
import { listQuestionsFor } from './list-questions-for.ts';
import { presentQuestion } from './present.ts';
import { reorderQuestions } from './reorder-questions.ts';
import { rescoreQuestion } from './rescore-question.ts';

export function questionHandlers(ctx: AppContext) {
  return {
    async listQuestions({ params, query, session, now }) {
      const forAssessment = query.forAssessment === 'true';
      return {
        status: 200,
        body: await listQuestionsFor(ctx, session, params.id, forAssessment, now),
      };
    },
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
    async rescoreQuestion({ params, body, session, now }) {
      const how = { dryRun: body.dryRun, reason: body.reason };
      return {
        status: 200,
        body: await rescoreQuestion(ctx, session.adminId, params.id, params.questionId, how, now),
      };
    },
  } satisfies Handlers;
}

/** The seed's body names the assessment as well; it may leave it out, but not name another. */
function requireSameQuiz(quizId: string, named: string | undefined): void {
  if (named !== undefined && named !== quizId) throw new AppError('NOT_FOUND');
}
