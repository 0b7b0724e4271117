import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { beat } from './beat.ts';

export function heartbeatHandlers(ctx: AppContext) {
  return {
    async heartbeat({ params, body, session, request, now }) {
      const said = { monitor: body.monitor, from: request };
      return { status: 200, body: await beat(ctx, session, params.id, said, now) };
    },
  } satisfies Handlers;
}
