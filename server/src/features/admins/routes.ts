import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { addAdmin, removeAdmin } from './change-admins.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { presentAdmin } from './present.ts';
import { listAdmins } from './queries.ts';

export function adminHandlers(ctx: AppContext) {
  return {
    async listAdmins() {
      return { status: 200, body: (await listAdmins(ctx.db)).map(presentAdmin) };
    },
    async createAdmin({ body, session, now }) {
      const row = await addAdmin(ctx, session.adminId, body.email, body.password, now);
      return { status: 201, body: presentAdmin(row) };
    },
    async deleteAdmin({ params, session, now }) {
      await removeAdmin(ctx, session.adminId, params.id, now);
      return { status: 204 };
    },
    async changeOwnPassword({ body, session, request, now }) {
      const { currentPassword, newPassword } = body;
      const { ip } = request;
      const row = await changeOwnPassword(ctx, session, currentPassword, newPassword, ip, now);
      return { status: 200, body: presentAdmin(row) };
    },
  } satisfies Handlers;
}
