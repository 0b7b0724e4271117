import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { changeRetentionDays, readRetentionDays } from './keep-days.ts';

export function retentionHandlers(ctx: AppContext) {
  return {
    async getRetention() {
      return { status: 200, body: { days: await readRetentionDays(ctx.db) } };
    },
    async putRetention({ body, session, now }) {
      const days = await changeRetentionDays(ctx, session.adminId, body.days, now);
      return { status: 200, body: { days } };
    },
  } satisfies Handlers;
}
