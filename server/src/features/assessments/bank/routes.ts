import type { BaseContext } from '../../../app-context.ts';
import { listTags } from '../../../db/queries/question-bank.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { addQuestions, editQuestion } from '../questions/change-questions.ts';
import { changeMany } from './change-bank.ts';
import { findDuplicates, readBank, readBankHistory, readBankQuestion } from './read-bank.ts';

export function bankHandlers(ctx: BaseContext) {
  return {
    async listBank({ query }) {
      const { rows, total } = await readBank(ctx, query);
      return { status: 200, body: rows, headers: { 'x-total-count': String(total) } };
    },
    async listTags() {
      return { status: 200, body: await listTags(ctx.db) };
    },
    async listDuplicates() {
      return { status: 200, body: await findDuplicates(ctx) };
    },
    async addToBank({ body: { definition, quizId = null, ...labels }, session, now }) {
      const added = [{ definition, labels }];
      const [view] = await addQuestions(ctx, session.adminId, quizId, added, now);
      return { status: 201, body: await readBankQuestion(ctx, view?.row.id ?? '') };
    },
    async getBankQuestion({ params }) {
      return { status: 200, body: await readBankHistory(ctx, params.id) };
    },
    async changeBankQuestion({ params, body, session, now }) {
      await editQuestion(ctx, session.adminId, params.id, body, now);
      return { status: 200, body: await readBankQuestion(ctx, params.id) };
    },
    async changeBankQuestions({ body, session, now }) {
      return { status: 200, body: { changed: await changeMany(ctx, session.adminId, body, now) } };
    },
  } satisfies Handlers;
}
