import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { findParticipant } from '../participants/queries.ts';
import { presentMessage } from './present.ts';
import { listMessages } from './queries.ts';
import { sendMessage } from './send-message.ts';

export function messageHandlers(ctx: AppContext) {
  return {
    async listMessages({ params, session }) {
      const attempt = await findParticipant(ctx.db, params.id);
      const isForeign =
        session.kind === 'participant' &&
        (attempt?.userId !== session.userId || attempt.quizId !== session.quizId);
      if (!attempt || isForeign) throw new AppError('NOT_FOUND');
      return { status: 200, body: (await listMessages(ctx.db, params.id)).map(presentMessage) };
    },
    async sendMessage({ params, body, session, now }) {
      const row = await sendMessage(ctx, params.id, body.text, session.adminId, now);
      return { status: 201, body: presentMessage(row) };
    },
  } satisfies Handlers;
}
