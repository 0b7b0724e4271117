import type { AppContext } from '../../../app-context.ts';
import { pageOutbox, readProblems } from '../../../db/queries/outbox.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { presentOutboxMessage } from './present.ts';
import { readMessage, revealMessage } from './read-message.ts';
import { readPause } from './read-pause.ts';
import { sendNow } from './send-now.ts';

export function outboxHandlers(ctx: AppContext) {
  return {
    async listOutbox({ query }) {
      const { limit, offset, ...filter } = query;
      const { rows, total } = await pageOutbox(ctx.db, { limit, offset }, filter);
      return {
        status: 200,
        body: rows.map(presentOutboxMessage),
        headers: { 'x-total-count': String(total) },
      };
    },
    async readOutboxMessage({ params, session, now }) {
      return { status: 200, body: await readMessage(ctx, session.adminId, params.id, now) };
    },
    async revealOutboxMessage({ params, body, session, now }) {
      const message = await revealMessage(ctx, session, params.id, body.currentPassword, now);
      return { status: 200, body: message };
    },
    async sendOutboxMessage({ params, now }) {
      return { status: 200, body: presentOutboxMessage(await sendNow(ctx, params.id, now)) };
    },
    async getMailProblems({ now }) {
      const [problems, paused] = [await readProblems(ctx.db, now), await readPause(ctx.db)];
      return { status: 200, body: paused ? { ...problems, paused } : problems };
    },
  } satisfies Handlers;
}
