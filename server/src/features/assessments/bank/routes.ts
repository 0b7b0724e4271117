import type { AppContext } from '../../../app-context.ts';
import { listTags } from '../../../db/queries/question-bank.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { addBankQuestion, changeMany, editBankQuestion } from './change-bank.ts';
import { presentBankQuestion } from './present.ts';
import { findDuplicates, readBank, readBankQuestion } from './read-bank.ts';

export function bankHandlers(ctx: AppContext) {
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
    async addToBank({ body, session, now }) {
      const view = await addBankQuestion(ctx, session.adminId, body, now);
      return { status: 201, body: presentBankQuestion(view) };
    },
    async getBankQuestion({ params }) {
      return { status: 200, body: await readBankQuestion(ctx, params.id) };
    },
    async changeBankQuestion({ params, body, session, now }) {
      const view = await editBankQuestion(ctx, session.adminId, params.id, body, now);
      return { status: 200, body: presentBankQuestion(view) };
    },
    async changeBankQuestions({ body, session, now }) {
      return { status: 200, body: { changed: await changeMany(ctx, session.adminId, body, now) } };
    },
  } satisfies Handlers;
}
