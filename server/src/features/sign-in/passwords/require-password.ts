import type { AppContext } from '../../../app-context.ts';
import { type AdminRow, findAdmin } from '../../../db/queries/admins.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { forgetFailures } from '../../../db/queries/throttle.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { checkPassword, sessionGuesser } from './check-password.ts';
import { isGenuineAdmin } from './genuine-admin.ts';

/**
 * Requires an administrator's own password again. Wrong ones are throttled like wrong sign-ins, per
 * session: an open page must not be a place to guess, and no one else's guesses count.
 *
 * Throws WRONG_PASSWORD, THROTTLED.
 */
export async function requirePassword(
  ctx: AppContext,
  session: AdminSession,
  password: string,
  now: Date,
): Promise<AdminRow> {
  const guesser = sessionGuesser(ctx, session.id);
  const admin = await findAdmin(ctx.db, session.adminId);
  const hash = admin && (await isGenuineAdmin(ctx, ctx.db, admin.id)) ? admin.passwordHash : null;
  const isRight = await checkPassword(ctx, guesser, hash, password, now);
  if (!admin || !isRight) throw AppError.at('currentPassword', 'WRONG_PASSWORD');
  await forgetFailures(ctx.db, guesser.key);
  return admin;
}
