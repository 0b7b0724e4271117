import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { listQuestionsFor } from './list-questions-for.ts';

export function paperHandlers(ctx: AppContext) {
  return {
    async listQuestions({ params, query, session, now }) {
      const forAssessment = query.forAssessment === 'true';
      return {
        status: 200,
        body: await listQuestionsFor(ctx, session, params.id, forAssessment, now),
      };
    },
  } satisfies Handlers;
}
