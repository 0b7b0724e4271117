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
import { fileOf, makePasswords } from './make-passwords.ts';
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
    async inviteToQuiz({ params, body: { emails, ...how }, command }) {
      return { invitations: await inviteToQuiz(ctx, command, params.id, emails ?? [], how) };
    },

    checkInviting: ({ params }) => checkBeforeInviting(ctx, params.id),

    async sendTestInvitation({ params, body, session: { email }, command }) {
      await command((write) => sendTestInvitation(ctx, write, email, params.id, body));
      return { email };
    },

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

    async exportInvitations({ params, query: { format, ...filter }, command, sees, now }) {
      const wanted = { ...filter, sees, now };
      const { body, name } = await exportInvitations(ctx, command, params.id, wanted, format);
      return new Reply(200, body, downloadHeaders(name, format));
    },

    makePasswords: ({ params, body, session: { email }, command }) =>
      command((write) => makePasswords(ctx, write, email, params.id, body.ids)),

    async exportPasswords({ params, body: { ids, format }, session: { email }, command, now }) {
      const made = await command((write) => makePasswords(ctx, write, email, params.id, ids));
      const { body, name } = await fileOf(ctx, made, format, now);
      return new Reply(200, body, downloadHeaders(name, format));
    },

    async readDelivery({ params, body, sees }) {
      return { mails: await readDelivery(ctx, sees, params.id, body.ids) };
    },

    remindInvitations: ({ params, body, command }) =>
      command(async (write) => ({
        invitations: await remindInvitations(ctx, write, params.id, body),
      })),

    resendInvitations: ({ params, body, command }) =>
      command(async (write) => ({
        invitations: await resendInvitations(ctx, write, params.id, body),
      })),

    revokeInvitations: ({ params, body, command }) =>
      command(async (write) => ({ revoked: await revokeInvitations(write, params.id, body.ids) })),

    updateInvitation: ({ params, body, command }) =>
      command((write) => changeAccommodations(ctx, write, params.id, body)),
  } satisfies Handlers;
}
