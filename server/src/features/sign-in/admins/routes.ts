import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { BaseContext } from '../../../app-context.ts';
import { findAdmin, setAdmin } from '../../../db/queries/admins.ts';
import { endSession, listAdminSessions } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { setDeviceCookie } from '../../../http/session.ts';
import { AppError } from '../../../runtime/app-error.ts';
import {
  addAdmin,
  canResetByMail,
  changeOwnPassword,
  removeAdmin,
  requestReset,
  setResetPassword,
} from './admins.ts';
import { listTeam, replaceGrants, type TeamMember } from './team.ts';

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
    deleteAdmin: ({ params, command }) => command((write) => removeAdmin(ctx, write, params.id)),
    async changeOwnPassword({ body: { currentPassword, newPassword }, session, command, now }) {
      await changeOwnPassword(ctx, command, session, currentPassword, newPassword, now);
      return await readOwn(ctx, session);
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
      // Someone who reads the account's mail may sign in from here, even while the account is under attack.
      setDeviceCookie(reply, ctx, email, now);
      return { email };
    },
  } satisfies Handlers;
}

async function readOwn({ db }: BaseContext, { adminId, grants }: AdminSession): Promise<Admin> {
  const row = await findAdmin(db, adminId);
  if (!row) throw new AppError('NOT_SIGNED_IN');
  return presentAdmin({ ...row, grants }, true);
}

/** @param isWhole also what is about the account, and not about roles in the reader's reach */
function presentAdmin(row: TeamMember, isWhole: boolean): Admin {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    grants: [...row.grants],
    ...(isWhole
      ? {
          createdAt: row.createdAt.toISOString(),
          lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
          hasTotp: row.hasTotp,
        }
      : {}),
  };
}
