import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { hashPassword } from '../../security/passwords.ts';
import { recordAudit } from '../audit/queries.ts';
import { deletePendingSignIns } from '../auth/pending-queries.ts';
import { type AdminSession, endOtherAdminSessions } from '../auth/session-queries.ts';
import { refuseCodeShape } from './change-admins.ts';
import { type AdminRow, setPasswordHash } from './queries.ts';
import { requirePassword } from './require-password.ts';

/**
 * Changes the own password and ends this administrator's other sessions, those
 * included that wait for a second step.
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
  const admin = await requirePassword(ctx, session, current, address, now);
  const passwordHash = await hashPassword(next);
  await inTransaction(ctx.db, async (tx) => {
    await setPasswordHash(tx, session.adminId, passwordHash);
    await endOtherAdminSessions(tx, session.adminId, session.id, now);
    await deletePendingSignIns(tx, session.adminId);
    await recordAudit(tx, {
      adminId: session.adminId,
      action: 'admin.password_changed',
      subject: { type: 'admin', id: session.adminId },
      at: now,
    });
  });
  return admin;
}
