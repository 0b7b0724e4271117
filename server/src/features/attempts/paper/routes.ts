import type { AttemptContext, FileContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { listQuestionsFor } from './list-questions-for.ts';
import { readImageFor } from './read-image.ts';

export function paperHandlers(ctx: AttemptContext & FileContext) {
  return {
    async listQuestions({ params, query, session, now }) {
      const forAssessment = query.forAssessment === 'true';
      return {
        status: 200,
        body: await listQuestionsFor(ctx, session, params.id, forAssessment, now),
      };
    },
    async readImage({ params, session, now }) {
      const { bytes, until } = await readImageFor(ctx, session, params.hash, now);
      const seconds = Math.max(0, Math.floor((until.getTime() - now.getTime()) / 1_000));
      // An image never changes; the browser forgets it at the end of the attempt or session.
      const headers = { 'cache-control': `private, max-age=${seconds}, immutable` };
      return { status: 200, body: bytes, headers };
    },
  } satisfies Handlers;
}
