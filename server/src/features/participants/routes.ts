import { remainingMs } from '@invigil/core/domain/attempt';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { findSessionEnd, type ParticipantSession } from '../auth/session-queries.ts';
import { countParticipants, findListedParticipant, pageParticipants } from './list-queries.ts';
import { presentOwnParticipant } from './present.ts';
import { presentParticipant } from './present-row.ts';
import { findCurrentParticipant } from './queries.ts';
import { startParticipant } from './start-participant.ts';

export function participantHandlers(ctx: AppContext) {
  const findOwn = (session: ParticipantSession) =>
    findCurrentParticipant(ctx.db, session.userId, session.quizId);

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
      const { userId, quizId, status, search, sort, limit, offset } = query;
      if (session.kind === 'participant') {
        const foreign =
          (userId !== undefined && userId !== session.userId) ||
          (quizId !== undefined && quizId !== session.quizId);
        const own = foreign ? undefined : await findOwn(session);
        return { status: 200, body: own ? [presentOwnParticipant(own, now)] : [] };
      }
      const filter = { userId, quizId, status, search, asOf: query.asOf ? new Date(query.asOf) : undefined };
      const order = query.order ?? (sort === 'startedAt' ? 'desc' : 'asc');
      const rows = await pageParticipants(ctx.db, filter, { sort, order, limit, offset }, now);
      const total = await countParticipants(ctx.db, filter);
      return {
        status: 200,
        body: rows.map((row) => presentParticipant(row, now)),
        headers: { 'x-total-count': String(total) },
      };
    },

    async getParticipant({ params, session, now }) {
      if (session.kind === 'participant') {
        const own = await findOwn(session);
        if (own?.id !== params.id) throw new AppError('NOT_FOUND');
        return { status: 200, body: presentOwnParticipant(own, now) };
      }
      const row = await findListedParticipant(ctx.db, params.id);
      if (!row) throw new AppError('NOT_FOUND');
      return { status: 200, body: presentParticipant(row, now) };
    },

    async heartbeat({ params, session, now }) {
      const result = await ctx.heartbeats.beat({
        participantId: params.id,
        sessionId: session.id,
        now,
      });
      if (!result) throw await whyNotHeld(params.id, session);
      return {
        status: 200,
        body: {
          status: result.status,
          remainingMs: result.status === 'in_progress' ? remainingMs(result.deadlineAt, now) : 0,
          deadlineAt: result.deadlineAt.toISOString(),
          violationCount: result.violationCount,
        },
      };
    },
  } satisfies Handlers;

  async function whyNotHeld(id: string, session: ParticipantSession): Promise<AppError> {
    if ((await findOwn(session))?.id !== id) return new AppError('NOT_FOUND');
    const end = await findSessionEnd(ctx.db, session.id);
    return new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
  }
}
