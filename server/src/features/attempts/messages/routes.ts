import type { AttemptContext, LiveContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { presentMessage, readMessages, sendMessage } from './send-message.ts';
import { streamParticipant } from './stream-participant.ts';

export function messageHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async listMessages({ params, session, now }) {
      const messages = await readMessages(ctx, session, params.id, now);
      return { status: 200, body: messages.map(presentMessage) };
    },
    async sendMessage({ params, body, session, now }) {
      const row = await sendMessage(ctx, params.id, body.text, { adminId: session.adminId, now });
      return { status: 201, body: presentMessage(row) };
    },
    async streamParticipant({ params, session }) {
      const body = await streamParticipant(ctx, session, params.id);
      return { status: 200, body };
    },
  } satisfies Handlers;
}
