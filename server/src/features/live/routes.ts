import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { streamParticipant } from './stream-participant.ts';

export function liveHandlers(ctx: AppContext) {
  return {
    async streamParticipant({ params, session }) {
      return {
        status: 200,
        body: await streamParticipant(ctx, session, params.id),
        headers: {
          // A proxy that collects would deliver the news too late.
          'x-accel-buffering': 'no',
          // Its connection goes with it: a server that stops would wait for an idle one.
          connection: 'close',
        },
      };
    },
  } satisfies Handlers;
}
