import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { countWriting } from './board-queries.ts';
import { doToMany } from './do-to-many.ts';
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
    async doToMany({ body, session }) {
      return { status: 200, body: await doToMany(ctx, session.adminId, body) };
    },
  } satisfies Handlers;
}
