import type { BaseContext } from '../../../app-context.ts';
import { listQuizzes } from '../../../db/queries/quizzes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { archiveQuiz, editQuiz, makeQuiz } from './change-quiz.ts';
import { duplicateQuiz } from './duplicate-quiz.ts';
import { presentQuiz } from './present.ts';
import { previewQuiz } from './preview-quiz.ts';

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
