import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { recordHeartbeat } from './record-heartbeat.ts';

export function heartbeatHandlers(ctx: AppContext) {
  return {
    async heartbeat({ params, body, session, request, now }) {
      const report = { monitor: body.monitor, from: request };
      return { status: 200, body: await recordHeartbeat(ctx, session, params.id, report, now) };
    },
  } satisfies Handlers;
}
