import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { readRecord } from './read-record.ts';

export function recordHandlers(ctx: AppContext) {
  return {
    async getParticipantRecord({ params, now }) {
      return { status: 200, body: await readRecord(ctx, params.id, now) };
    },
  } satisfies Handlers;
}
