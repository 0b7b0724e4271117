import type { LiveContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { getParticipantFor, listForAdmin, listOwn } from './find-participants.ts';

export function participantHandlers(ctx: LiveContext) {
  return {
    async listParticipants({ query, session, now }) {
      if (session.kind === 'participant') {
        return { status: 200, body: await listOwn(ctx, session, query, now) };
      }
      const { rows, total } = await listForAdmin(ctx, query, now);
      return {
        status: 200,
        body: rows,
        headers: { 'x-total-count': String(total), 'x-as-of': now.toISOString() },
      };
    },

    async getParticipant({ params, session, now }) {
      return { status: 200, body: await getParticipantFor(ctx, session, params.id, now) };
    },
  } satisfies Handlers;
}
