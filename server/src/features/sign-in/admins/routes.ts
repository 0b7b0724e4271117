import type { BaseContext } from '../../../app-context.ts';
import { setAdmin } from '../../../db/queries/admins.ts';
import { endSession, listAdminSessions } from '../../../db/queries/session-changes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { setDeviceCookie } from '../../../http/session.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { accountHandlers, addAdmin, presentAdmin, readOwn, setResetPassword } from './admins.ts';
import { listTeam, replaceGrants } from './team.ts';

export function adminHandlers(ctx: BaseContext) {
  return {
    async listAdmins({ reach }) {
      return (await listTeam(ctx.db, reach)).map((row) => presentAdmin(row, reach === 'all'));
    },
    async createAdmin({ body, command, reach }) {
      return presentAdmin(await addAdmin(ctx, command, body), reach === 'all');
    },
    async setGrants({ params, body, command, reach }) {
      const member = await command((write) => replaceGrants(ctx, write, params.id, body));
      return presentAdmin(member, reach === 'all');
    },
    async setOwnName({ body: { name }, session, command }) {
      await command(async ({ tx, actor, record }) => {
        await setAdmin(tx, actor.id, { name });
        await record('admin.renamed', ['admin', actor.id]);
      });
      return await readOwn(ctx, session);
    },
    async listOwnSessions({ session, now }) {
      const rows = await listAdminSessions(ctx.db, session.adminId, now);
      return rows.map(({ id, createdAt, lastSeenAt }) => ({
        id,
        signedInAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isThis: id === session.id,
      }));
    },
    async endOwnSession({ params, session, command, now }) {
      const own = await listAdminSessions(ctx.db, session.adminId, now);
      if (!own.some(({ id }) => id === params.id)) throw new AppError('NOT_FOUND');
      await command(async ({ tx, record }) => {
        // First: it may be the session that asks.
        await record('admin.session_ended', ['session', params.id]);
        await endSession(tx, params.id, now);
      });
    },
    ...accountHandlers(ctx),
    async setResetPassword({ body, reply, now }) {
      const set = await setResetPassword(ctx, body.token, body.newPassword, now);
      // Someone who reads the account's mail may sign in from here, even while the account is under attack.
      setDeviceCookie(reply, ctx, set.email, now);
      return set;
    },
  } satisfies Handlers;
}
