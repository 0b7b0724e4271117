import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { viewRecord } from './read-record.ts';

export function recordHandlers(ctx: AppContext) {
  return {
    async getParticipantRecord({ params, session, now }) {
      return { status: 200, body: await viewRecord(ctx, session.adminId, params.id, now) };
    },
  } satisfies Handlers;
}
