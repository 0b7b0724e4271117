import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { rescoreQuestion } from './rescore-question.ts';

export function scoringHandlers(ctx: AppContext) {
  return {
    async rescoreQuestion({ params, body, session, now }) {
      return {
        status: 200,
        body: await rescoreQuestion(ctx, session.adminId, params.id, params.questionId, body, now),
      };
    },
    async rescoreBankQuestion({ params, body, session, now }) {
      return {
        status: 200,
        body: await rescoreQuestion(ctx, session.adminId, null, params.id, body, now),
      };
    },
  } satisfies Handlers;
}
