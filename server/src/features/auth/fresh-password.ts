import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { requirePassword } from '../admins/require-password.ts';
import { lockAdmin } from '../totp/queries.ts';
import { requireLive } from './require-live.ts';
import { type AdminSession, setPasswordProved } from './session-queries.ts';

/** An administrator and when the password was last proved. */
export type Actor = Pick<AdminSession, 'adminId' | 'passwordAt'>;

/**
 * Refuses a sensitive action (product 11) where the password was last proved too long ago: a page left
 * open, or a stolen session, does not get that far. Throws CONFIRM_PASSWORD.
 */
export function requireFreshPassword({ passwordAt }: Actor, now: Date): void {
  const age = passwordAt === null ? Number.POSITIVE_INFINITY : now.getTime() - passwordAt.getTime();
  if (age > SESSION_LIMITS.passwordFreshMs) throw new AppError('CONFIRM_PASSWORD');
}

/**
 * Proves the password again within a session. The password suffices also with two-step sign-in: the
 * session came by both, and what changes the second step itself asks for its code again.
 *
 * Throws WRONG_PASSWORD, THROTTLED, NOT_SIGNED_IN.
 */
export async function confirmPassword(
  ctx: AppContext,
  session: AdminSession,
  password: string,
  now: Date,
): Promise<void> {
  const admin = await requirePassword(ctx, session, password, now);
  await inTransaction(ctx.db, async (tx) => {
    // The password may have changed meanwhile, which ended this session.
    if ((await lockAdmin(tx, admin.id))?.passwordHash !== admin.passwordHash) {
      throw AppError.at('currentPassword', 'WRONG_PASSWORD');
    }
    await requireLive(tx, session.id, now);
    await setPasswordProved(tx, session.id, now);
  });
}
