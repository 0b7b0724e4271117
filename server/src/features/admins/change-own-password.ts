import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { hashPassword, verifyPassword } from '../../security/passwords.ts';
import { throttleKey } from '../../security/throttle-key.ts';
import { recordAudit } from '../audit/queries.ts';
import { type AdminSession, endOtherAdminSessions } from '../auth/session-queries.ts';
import { requireUnblocked } from '../auth/throttle.ts';
import { countFailure, forgetFailures } from '../auth/throttle-queries.ts';
import { refuseCodeShape } from './change-admins.ts';
import { type AdminRow, findAdmin, setPasswordHash } from './queries.ts';

/**
 * Changes the own password and ends this administrator's other sessions. Wrong current passwords are
 * throttled like wrong sign-ins: a page left open must not become a place to guess.
 *
 * Throws WRONG_PASSWORD, LOOKS_LIKE_CODE, THROTTLED.
 */
export async function changeOwnPassword(
  ctx: AppContext,
  session: AdminSession,
  current: string,
  next: string,
  address: string,
  now: Date,
): Promise<AdminRow> {
  refuseCodeShape(next, 'newPassword');
  const key = throttleKey(ctx.keys.throttle, session.email, address);
  await requireUnblocked(ctx.db, key, now);
  const admin = await findAdmin(ctx.db, session.adminId);
  const isRight = await verifyPassword(admin?.passwordHash ?? null, current);
  if (!admin || !isRight) {
    await countFailure(ctx.db, key, now);
    throw AppError.at('currentPassword', 'WRONG_PASSWORD');
  }
  const passwordHash = await hashPassword(next);
  await inTransaction(ctx.db, async (tx) => {
    await setPasswordHash(tx, session.adminId, passwordHash);
    await endOtherAdminSessions(tx, session.adminId, session.id, now);
    await recordAudit(tx, {
      adminId: session.adminId,
      action: 'admin.password_changed',
      subject: { type: 'admin', id: session.adminId },
      at: now,
    });
  });
  await forgetFailures(ctx.db, key);
  return admin;
}
