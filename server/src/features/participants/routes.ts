import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { beat } from './beat.ts';
import { getParticipantFor, listForAdmin, listOwn } from './find-participants.ts';
import { presentOwnParticipant } from './present.ts';
import { startParticipant } from './start-participant.ts';
import { submitParticipant } from './submit-participant.ts';

export function participantHandlers(ctx: AppContext) {
  return {
    async startParticipant({ body, session, request, now }) {
      const foreign =
        (body.userId !== undefined && body.userId !== session.userId) ||
        (body.quizId !== undefined && body.quizId !== session.quizId);
      if (foreign) throw new AppError('NOT_FOUND');
      const { isNew, attempt } = await startParticipant(
        ctx,
        session,
        {
          consentTextVersion: body.consent?.textVersion ?? null,
          deviceCheck: body.deviceCheck ?? null,
          address: request.ip,
        },
        now,
      );
      return { status: isNew ? 201 : 200, body: presentOwnParticipant(attempt, now) };
    },

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

    async submitParticipant({ params, body, session, now }) {
      return {
        status: 200,
        body: await submitParticipant(ctx, session, params.id, body, now),
      };
    },

    async heartbeat({ params, session, now }) {
      return { status: 200, body: await beat(ctx, session, params.id, now) };
    },
  } satisfies Handlers;
}
