import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { applyToMany } from './apply-to-many.ts';
import { countWriting } from './board-queries.ts';
import { streamLive } from './stream-live.ts';
import { watchParticipant } from './watch-participant.ts';

export function liveHandlers(ctx: AppContext) {
  return {
    async streamLive({ session }) {
      return { status: 200, body: streamLive(ctx, session) };
    },
    async getLiveCount() {
      return { status: 200, body: { writing: await countWriting(ctx.db) } };
    },
    async watchParticipant({ params, session, now }) {
      const body = await watchParticipant(ctx, session, params.id, now);
      return { status: 200, body };
    },
    async applyToMany({ body, session }) {
      return { status: 200, body: await applyToMany(ctx, session.adminId, body) };
    },
  } satisfies Handlers;
}
