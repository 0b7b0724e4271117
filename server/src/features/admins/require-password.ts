import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { throttleKey } from '../../security/throttle-key.ts';
import { judgePassword } from '../auth/judge-password.ts';
import type { AdminSession } from '../auth/session-queries.ts';
import { forgetFailures } from '../auth/throttle-queries.ts';
import { type AdminRow, findAdmin } from './queries.ts';

/**
 * Asks an administrator for the own password again. Wrong ones are throttled like wrong sign-ins: a
 * page left open must not become a place to guess.
 *
 * Throws WRONG_PASSWORD, THROTTLED.
 */
export async function requirePassword(
  ctx: AppContext,
  session: AdminSession,
  password: string,
  address: string,
  now: Date,
): Promise<AdminRow> {
  const key = throttleKey(ctx.keys.throttle, session.email, address);
  const admin = await findAdmin(ctx.db, session.adminId);
  const isRight = await judgePassword(ctx.db, key, admin?.passwordHash ?? null, password, now);
  if (!admin || !isRight) throw AppError.at('currentPassword', 'WRONG_PASSWORD');
  await forgetFailures(ctx.db, key);
  return admin;
}
