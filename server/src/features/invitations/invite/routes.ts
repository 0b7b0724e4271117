import type { BaseContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { downloadHeaders } from '../../../http/table-stream.ts';
import {
  countInvitations,
  exportInvitations,
  listIds,
  listInvitations,
  readDelivery,
} from '../list/list-invitations.ts';
import { inviteToQuiz } from './invite-to-quiz.ts';
import {
  changeAccommodations,
  previewInvitation,
  remindInvitations,
  resendInvitations,
  revokeInvitations,
} from './manage-invitations.ts';

export function invitationHandlers(ctx: BaseContext) {
  return {
    async inviteToQuiz({ params, body, session, now }) {
      const { emails, ...wording } = body;
      const lines = emails ?? [];
      return {
        status: 200,
        body: {
          invitations: await inviteToQuiz(ctx, session.adminId, params.id, lines, wording, now),
        },
      };
    },

    async previewInvitation({ params, body, now }) {
      return { status: 200, body: await previewInvitation(ctx, params.id, body, now) };
    },

    async listInvitations({ params, query, now }) {
      const { limit, offset, ...filter } = query;
      const page = { limit, offset };
      const { rows, total } = await listInvitations(ctx, params.id, { ...filter, now }, page);
      return { status: 200, body: rows, headers: { 'x-total-count': String(total) } };
    },

    async countInvitations({ params, query, now }) {
      return { status: 200, body: await countInvitations(ctx, params.id, { ...query, now }) };
    },

    async listInvitationIds({ params, query, now }) {
      return { status: 200, body: { ids: await listIds(ctx, params.id, { ...query, now }) } };
    },

    async exportInvitations({ params, query, session, now }) {
      const { format, ...filter } = query;
      const { adminId } = session;
      const { body, name } = await exportInvitations(
        ctx,
        adminId,
        params.id,
        { ...filter, now },
        format,
      );
      return { status: 200, body, headers: downloadHeaders(name, format) };
    },

    async readDelivery({ params, body }) {
      return { status: 200, body: { mails: await readDelivery(ctx, params.id, body.ids) } };
    },

    async remindInvitations({ params, body, session, now }) {
      const { ids, ...wording } = body;
      return {
        status: 200,
        body: {
          invitations: await remindInvitations(ctx, session.adminId, params.id, ids, wording, now),
        },
      };
    },

    async resendInvitations({ params, body, session, now }) {
      const { ids, ...wording } = body;
      return {
        status: 200,
        body: {
          invitations: await resendInvitations(ctx, session.adminId, params.id, ids, wording, now),
        },
      };
    },

    async revokeInvitations({ params, body, session, now }) {
      const revoked = await revokeInvitations(ctx, session.adminId, params.id, body.ids, now);
      return { status: 200, body: { revoked } };
    },

    async updateInvitation({ params, body, session, now }) {
      return {
        status: 200,
        body: await changeAccommodations(ctx, session.adminId, params.id, body, now),
      };
    },
  } satisfies Handlers;
}
