import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { countWriting } from './board-queries.ts';
import { doToMany } from './do-to-many.ts';
import { streamLive } from './stream-live.ts';
import { streamParticipant } from './stream-participant.ts';
import { watchParticipant } from './watch-participant.ts';

const STREAM_HEADERS = {
  // A proxy that collects would deliver the news too late.
  'x-accel-buffering': 'no',
  // Its connection goes with it: a server that stops would wait for an idle one.
  connection: 'close',
};

export function liveHandlers(ctx: AppContext) {
  return {
    async streamParticipant({ params, session }) {
      const body = await streamParticipant(ctx, session, params.id);
      return { status: 200, body, headers: STREAM_HEADERS };
    },
    async streamLive({ session }) {
      return { status: 200, body: streamLive(ctx, session), headers: STREAM_HEADERS };
    },
    async getLiveCount() {
      return { status: 200, body: { writing: await countWriting(ctx.db) } };
    },
    async watchParticipant({ params, session, now }) {
      const body = await watchParticipant(ctx, session, params.id, now);
      return { status: 200, body, headers: STREAM_HEADERS };
    },
    async doToMany({ body, session }) {
      return { status: 200, body: await doToMany(ctx, session.adminId, body) };
    },
  } satisfies Handlers;
}
