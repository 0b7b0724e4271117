import type { BaseContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { getListed } from '../participants/find-participants.ts';
import {
  endParticipant,
  extendParticipant,
  noteParticipant,
  replaceParticipant,
} from './manage-participant.ts';
import { recordVerdict } from './record-verdict.ts';

export function actionHandlers(ctx: BaseContext) {
  return {
    async extendParticipant({ params, body, session, now }) {
      const action = { adminId: session.adminId, reason: body.reason, now };
      await extendParticipant(ctx, params.id, body.minutes, action);
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async endParticipant({ params, body, session, now }) {
      await endParticipant(ctx, params.id, { adminId: session.adminId, reason: body.reason, now });
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async replaceParticipant({ params, body, session, now }) {
      const action = { adminId: session.adminId, reason: body.reason, now };
      await replaceParticipant(ctx, params.id, body, action);
      return { status: 200, body: await getListed(ctx, params.id, now) };
    },

    async giveVerdict({ params, body, session, now }) {
      const given = { ...body, adminId: session.adminId, now };
      await recordVerdict(ctx, params.id, given);
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
