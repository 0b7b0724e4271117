import type { BaseContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import {
  addQuestions,
  editQuestion,
  removeQuestions,
  reorderQuestions,
} from './change-questions.ts';
import { parseQuestionFile, parseQuestionRows } from './parse-csv.ts';
import { presentQuestion } from './present.ts';
import { requirePlainQuestion } from './require-definition.ts';

/** The specification's form of questions: plain ones, which belong to an assessment. */
export function questionHandlers(ctx: BaseContext) {
  return {
    async createQuestion({ params, body, session, now }) {
      requireSameQuiz(params.id, body.quizId);
      const added = [{ definition: requirePlainQuestion(body), orderNumber: body.orderNumber }];
      const [view] = await addQuestions(ctx, session.adminId, params.id, added, now);
      if (!view) throw new Error('a question was added and is not returned');
      return presentQuestion(view);
    },
    async updateQuestion({ params: { id: quizId, questionId }, body, session, reach, now }) {
      requireSameQuiz(quizId, body.quizId);
      const { orderNumber, version } = body;
      const change = { definition: requirePlainQuestion(body), orderNumber, version };
      const editor = { adminId: session.adminId, reach };
      const view = await editQuestion(ctx, editor, questionId, change, now, quizId);
      return presentQuestion(view);
    },
    async deleteQuestion({ params: { id: quizId, questionId }, session: { adminId }, reach, now }) {
      await removeQuestions(ctx, { adminId, reach }, [questionId], now, quizId);
    },
    async deleteQuestions({ params, body, session: { adminId }, reach, now }) {
      const editor = { adminId, reach };
      return { deleted: await removeQuestions(ctx, editor, body.ids, now, params.id) };
    },
    async importQuestions({ params, query, body, session, now }) {
      const firstRow = query.keepFirstRow === 'true' ? 'question' : 'header';
      const { added, ...read } =
        body instanceof Uint8Array
          ? parseQuestionFile(body, { firstRow, encoding: query.encoding })
          : { added: parseQuestionRows(body.questions) };
      const views = await addQuestions(ctx, session.adminId, params.id, added, now);
      return { created: views.length, questions: views.map(presentQuestion), ...read };
    },
    async reorderQuestions({ params, body, session, now }) {
      const views = await reorderQuestions(ctx, session.adminId, params.id, body.ids, now);
      return views.map(presentQuestion);
    },
  } satisfies Handlers;
}

/** The body may name the assessment too; if it does, it must be the same one. */
function requireSameQuiz(quizId: string, named: string | undefined): void {
  if (named !== undefined && named !== quizId) throw new AppError('NOT_FOUND');
}
