import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { BaseContext } from '../../../app-context.ts';
import { type AdminRow, listAdmins } from '../../../db/queries/admins.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { setDeviceCookie } from '../../../http/session.ts';
import {
  addAdmin,
  canResetByMail,
  changeOwnPassword,
  removeAdmin,
  requestReset,
  setResetPassword,
} from './admins.ts';

export function adminHandlers(ctx: BaseContext) {
  return {
    async listAdmins() {
      return (await listAdmins(ctx.db)).map(presentAdmin);
    },
    async createAdmin({ body, session, now }) {
      return presentAdmin(await addAdmin(ctx, session.adminId, body.email, body.password, now));
    },
    deleteAdmin: ({ params, session, now }) => removeAdmin(ctx, session.adminId, params.id, now),
    async changeOwnPassword({ body, session, now }) {
      const { currentPassword, newPassword } = body;
      const row = await changeOwnPassword(ctx, session, currentPassword, newPassword, now);
      return presentAdmin(row);
    },
    async getPasswordResetWays() {
      return { byMail: await canResetByMail(ctx) };
    },
    async requestPasswordReset({ body, request, now }) {
      const sendLink = await requestReset(ctx, body.email, request.ip, now);
      // After the response: its duration must not reveal whether the administrator exists.
      setImmediate(() => void sendLink());
    },
    async setResetPassword({ body, reply, now }) {
      const { email } = await setResetPassword(ctx, body.token, body.newPassword, now);
      // Who reads the account's mail may sign in from here, even while the account is under attack.
      setDeviceCookie(reply, ctx, email, now);
      return { email };
    },
  } satisfies Handlers;
}

function presentAdmin(row: AdminRow): Admin {
  return {
    id: row.id,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    hasTotp: row.hasTotp,
  };
}
