import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { beat } from './beat.ts';
import { startingDevice } from './device.ts';
import { getListed, getParticipantFor, listForAdmin, listOwn } from './find-participants.ts';
import { giveVerdict } from './give-verdict.ts';
import {
  endParticipant,
  extendParticipant,
  noteParticipant,
  replaceParticipant,
} from './manage-participant.ts';
import { presentOwnParticipant } from './present.ts';
import { readRecord } from './read-record.ts';
import { submitParticipant } from './submit-participant.ts';

export function participantHandlers(ctx: AppContext) {
  return {
    async startParticipant({ body, session, request, now }) {
      const foreign =
        (body.userId !== undefined && body.userId !== session.userId) ||
        (body.quizId !== undefined && body.quizId !== session.quizId);
      if (foreign) throw new AppError('NOT_FOUND');
      const details = {
        consentTextVersion: body.consent?.textVersion ?? null,
        consentTo: body.consent?.to ?? null,
        deviceCheck: body.deviceCheck ?? null,
        address: request.ip,
        device: startingDevice(request, body.mobile),
        saysMobile: body.mobile ?? false,
        sees: body.device ?? null,
      };
      const { isNew, attempt } = await ctx.attemptStarts.start({ session, details, now });
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
      const end = await submitParticipant(ctx, session, params.id, body, now);
      const headers = { 'x-late-answers': String(end.late) };
      return { status: 200, body: end.body, ...(end.late > 0 ? { headers } : {}) };
    },

    async heartbeat({ params, body, session, request, now }) {
      const said = { monitor: body.monitor, from: request };
      return { status: 200, body: await beat(ctx, session, params.id, said, now) };
    },

    async getParticipantRecord({ params, now }) {
      return { status: 200, body: await readRecord(ctx, params.id, now) };
    },

    async extendParticipant({ params, body, session, now }) {
      const deed = { adminId: session.adminId, reason: body.reason, now };
      await extendParticipant(ctx, params.id, body.minutes, deed);
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async endParticipant({ params, body, session, now }) {
      await endParticipant(ctx, params.id, { adminId: session.adminId, reason: body.reason, now });
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async replaceParticipant({ params, body, session, now }) {
      const deed = { adminId: session.adminId, reason: body.reason, now };
      await replaceParticipant(ctx, params.id, body.how, deed);
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async giveVerdict({ params, body, session, now }) {
      const given = { ...body, adminId: session.adminId, now };
      await giveVerdict(ctx, params.id, given);
      return {
        status: 200,
        body: {
          verdict: body.verdict,
          note: body.note,
          at: now.toISOString(),
          adminEmail: session.email,
        },
      };
    },

    async noteParticipant({ params, body, session, now }) {
      await noteParticipant(ctx, params.id, body, session.adminId, now);
      return { status: 200, body: { note: body.note } };
    },
  } satisfies Handlers;
}
