import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { giveFeedback } from './give-feedback.ts';

export function feedbackHandlers(ctx: AppContext) {
  return {
    async giveFeedback({ body, session, now }) {
      const { participantId, emoji, text, skipped } = body;
      await giveFeedback(
        ctx,
        session,
        { participantId, emoji, text: text || null, skipped: skipped ?? false },
        now,
      );
      return {
        status: 201,
        body: { participantId, emoji, text: text || null, skipped: skipped ?? false },
      };
    },
  } satisfies Handlers;
}
