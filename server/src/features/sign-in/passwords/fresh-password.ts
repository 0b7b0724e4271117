import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { setPasswordConfirmed } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireLive } from '../../../sessions/require-live.ts';
import { requirePassword } from './require-password.ts';

/**
 * Confirms the password within a session. It suffices even with two-step sign-in: the session was opened
 * with both, and changes to the second step require its code again.
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
    // The password may have changed concurrently, which ended this session.
    if ((await lockAdmin(tx, admin.id))?.passwordHash !== admin.passwordHash) {
      throw AppError.at('currentPassword', 'WRONG_PASSWORD');
    }
    await requireLive(tx, session.id, now);
    await setPasswordConfirmed(tx, session.id, now);
  });
}
