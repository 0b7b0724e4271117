import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { listQuestionsFor } from './list-questions-for.ts';
import { readImageFor } from './read-image.ts';

/** An image never changes. It is not for a cache that several people share. */
const CACHING = { 'cache-control': 'private, max-age=31536000, immutable' };

export function paperHandlers(ctx: AppContext) {
  return {
    async listQuestions({ params, query, session, now }) {
      const forAssessment = query.forAssessment === 'true';
      return {
        status: 200,
        body: await listQuestionsFor(ctx, session, params.id, forAssessment, now),
      };
    },
    async readImage({ params, session, now }) {
      const body = await readImageFor(ctx, session, params.hash, now);
      return { status: 200, body, headers: CACHING };
    },
  } satisfies Handlers;
}
