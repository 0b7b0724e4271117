import type { BaseContext } from '../../../app-context.ts';
import { listQuestions, setOrder } from '../../../db/queries/questions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { addQuestions, editQuestion, lockQuizOf, removeQuestions } from './change-questions.ts';
import { parseQuestionFile, parseQuestionRows } from './parse-csv.ts';
import { presentQuestion } from './present.ts';
import { requirePlainQuestion } from './require-definition.ts';

/** The specification's form of questions: plain ones, which belong to an assessment. */
export function questionHandlers(ctx: BaseContext) {
  return {
    async createQuestion({ params, body, command }) {
      requireSameQuiz(params.id, body.quizId);
      const added = [{ definition: requirePlainQuestion(body), orderNumber: body.orderNumber }];
      const [view] = await command((write) => addQuestions(ctx, write, params.id, added));
      if (!view) throw new Error('a question was added and is not returned');
      return presentQuestion(view);
    },
    async updateQuestion({ params: { id: quizId, questionId }, body, command }) {
      requireSameQuiz(quizId, body.quizId);
      const { orderNumber, version } = body;
      const change = { definition: requirePlainQuestion(body), orderNumber, version };
      const view = await command((write) => editQuestion(ctx, write, questionId, change, quizId));
      return presentQuestion(view);
    },
    async deleteQuestion({ params: { id: quizId, questionId }, command }) {
      await command((write) => removeQuestions(write, [questionId], quizId));
    },
    deleteQuestions: ({ params, body, command }) =>
      command(async (write) => ({ deleted: await removeQuestions(write, body.ids, params.id) })),
    async importQuestions({ params, query, body, command }) {
      const firstRow = query.keepFirstRow === 'true' ? 'question' : 'header';
      const { added, ...read } =
        body instanceof Uint8Array
          ? parseQuestionFile(body, { firstRow, encoding: query.encoding })
          : { added: parseQuestionRows(body.questions) };
      const views = await command((write) => addQuestions(ctx, write, params.id, added));
      return { created: views.length, questions: views.map(presentQuestion), ...read };
    },
    /** The ids must be exactly the assessment's: if one was added or deleted since they were read, nothing changes. */
    reorderQuestions: ({ params: { id: quizId }, body: { ids }, command }) =>
      command(async ({ tx, record }) => {
        await lockQuizOf(tx, quizId);
        const present = new Set((await listQuestions(tx, quizId)).map(({ row }) => row.id));
        const given = new Set(ids);
        const isSame = given.size === ids.length && present.size === given.size;
        if (!isSame || ids.some((id) => !present.has(id))) throw new AppError('STALE');
        await setOrder(tx, ids);
        await record('questions.reordered', ['quiz', quizId]);
        return (await listQuestions(tx, quizId)).map(presentQuestion);
      }),
  } satisfies Handlers;
}

/** The body may name the assessment too; if it does, it must be the same one. */
function requireSameQuiz(quizId: string, named: string | undefined): void {
  if (named !== undefined && named !== quizId) throw new AppError('NOT_FOUND');
}
