import type { BaseContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { downloadHeaders } from '../../../http/table-stream.ts';
import { Reply } from '../../../runtime/reply.ts';
import {
  countInvitations,
  exportInvitations,
  findInvited,
  listIds,
  listInvitations,
  listPersonInvitations,
  readDelivery,
} from '../list/list-invitations.ts';
import { checkBeforeInviting } from './check-before-inviting.ts';
import { inviteToQuiz } from './invite-to-quiz.ts';
import { exportPasswords, makePasswords } from './make-passwords.ts';
import {
  changeAccommodations,
  previewInvitation,
  remindInvitations,
  resendInvitations,
  revokeInvitations,
  sendTestInvitation,
} from './manage-invitations.ts';

export function invitationHandlers(ctx: BaseContext) {
  return {
    async inviteToQuiz({ params, body: { emails, ...how }, session, reach, now }) {
      const editor = { adminId: session.adminId, reach };
      return { invitations: await inviteToQuiz(ctx, editor, params.id, emails ?? [], how, now) };
    },

    checkInviting: ({ params }) => checkBeforeInviting(ctx, params.id),

    sendTestInvitation: ({ params, body, session, now }) =>
      sendTestInvitation(ctx, session, params.id, body, now),

    previewInvitation: ({ params, body, now }) => previewInvitation(ctx, params.id, body, now),

    async listInvitations({ params, query, sees, now }) {
      const { limit, offset, ...filter } = query;
      const page = { limit, offset };
      const { rows, total } = await listInvitations(ctx, params.id, { ...filter, now, sees }, page);
      return new Reply(200, rows, { 'x-total-count': String(total) });
    },

    listPersonInvitations: ({ params, session: { grants }, reach, sees, now }) =>
      listPersonInvitations(ctx, params.id, { reach, sees, grants, now }),

    countInvitations: ({ params, query, sees, now }) =>
      countInvitations(ctx, params.id, { ...query, sees, now }),

    async listInvitationIds({ params, query, sees, now }) {
      return { ids: await listIds(ctx, params.id, { ...query, sees, now }) };
    },

    async findInvited({ params, body, sees }) {
      return { invited: await findInvited(ctx, sees, params.id, body.emails) };
    },

    async exportInvitations({ params, query, session, sees, now }) {
      const { format, ...filter } = query;
      const { adminId } = session;
      const { body, name } = await exportInvitations(
        ctx,
        adminId,
        params.id,
        { ...filter, sees, now },
        format,
      );
      return new Reply(200, body, downloadHeaders(name, format));
    },

    makePasswords: ({ params, body, session, sees, now }) =>
      makePasswords(ctx, session, sees, params.id, body.ids, now),

    async exportPasswords({ params, body: asked, session, sees, now }) {
      const { body, name } = await exportPasswords(ctx, session, sees, params.id, asked, now);
      return new Reply(200, body, downloadHeaders(name, asked.format));
    },

    async readDelivery({ params, body, sees }) {
      return { mails: await readDelivery(ctx, sees, params.id, body.ids) };
    },

    async remindInvitations({ params, body, session, now }) {
      const { ids, ...wording } = body;
      return {
        invitations: await remindInvitations(ctx, session.adminId, params.id, ids, wording, now),
      };
    },

    async resendInvitations({ params, body, session, now }) {
      const { ids, ...wording } = body;
      return {
        invitations: await resendInvitations(ctx, session.adminId, params.id, ids, wording, now),
      };
    },

    async revokeInvitations({ params, body, session, now }) {
      return { revoked: await revokeInvitations(ctx, session.adminId, params.id, body.ids, now) };
    },

    updateInvitation: ({ params, body, session, sees, now }) =>
      changeAccommodations(ctx, session.adminId, sees, params.id, body, now),
  } satisfies Handlers;
}
