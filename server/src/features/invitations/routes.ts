import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { inviteToQuiz } from './invite-to-quiz.ts';
import {
  changeAccommodations,
  listInvitations,
  previewInvitation,
  resendInvitations,
  revokeInvitations,
} from './manage-invitations.ts';

export function invitationHandlers(ctx: AppContext) {
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

    async previewInvitation({ params, body }) {
      return { status: 200, body: await previewInvitation(ctx, params.id, body) };
    },

    async listInvitations({ params, query }) {
      const { search, limit, offset } = query;
      const { rows, total } = await listInvitations(ctx, params.id, search, { limit, offset });
      return { status: 200, body: rows, headers: { 'x-total-count': String(total) } };
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
