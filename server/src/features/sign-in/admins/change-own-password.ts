import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { type AdminRow, deletePasswordReset, setPasswordHash } from '../../../db/queries/admins.ts';
import { findAdminByEmail } from '../../../db/queries/codes.ts';
import { deletePendingSignIns } from '../../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { ADMINS, changeSealed } from '../../../trust/sealed-kinds.ts';
import { requirePassword } from '../passwords/check-password.ts';
import { requireGoodPassword } from './change-admins.ts';

/**
 * Changes the administrator's own password and ends their other sessions, including those waiting for a
 * second step.
 *
 * Throws WRONG_PASSWORD, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, THROTTLED.
 */
export async function changeOwnPassword(
  ctx: BaseContext,
  session: AdminSession,
  current: string,
  next: string,
  now: Date,
): Promise<AdminRow> {
  await requireGoodPassword(ctx, session.email, next, 'newPassword');
  const admin = await requirePassword(ctx, session, current, now);
  const passwordHash = await hashPassword(next);
  await inTransaction(ctx.db, async (tx) => {
    // A concurrent change by another session has ended this one.
    if ((await lockAdmin(tx, session.adminId))?.passwordHash !== admin.passwordHash) {
      throw AppError.at('currentPassword', 'WRONG_PASSWORD');
    }
    await replacePassword(tx, ctx, session.adminId, passwordHash, session.id, now);
    await recordAudit(tx, {
      adminId: session.adminId,
      action: 'admin.password_changed',
      subject: { type: 'admin', id: session.adminId },
      at: now,
    });
  });
  return admin;
}

/**
 * Sets a password for a locked administrator, and invalidates all access by the old one: sessions except
 * `keep`, sign-ins waiting for a second step, reset links.
 */
export async function replacePassword(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  adminId: string,
  passwordHash: string,
  keep: string | null,
  now: Date,
): Promise<void> {
  await changeSealed(tx, keys.integrity, ADMINS, [adminId], () =>
    setPasswordHash(tx, adminId, passwordHash),
  );
  await endOtherAdminSessions(tx, adminId, keep, now);
  await deletePendingSignIns(tx, adminId);
  await deletePasswordReset(tx, adminId);
}

/**
 * Account recovery by the operator, at the machine, for an administrator who forgot the password. The
 * second step stays. Throws NOT_FOUND.
 */
export async function resetPasswordAtMachine(
  ctx: Pick<BaseContext, 'db' | 'keys'>,
  email: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const found = await findAdminByEmail(ctx.db, email);
  await inTransaction(ctx.db, async (tx) => {
    const admin = found?.admin;
    if (!admin || !(await lockAdmin(tx, admin.id))) throw new AppError('NOT_FOUND');
    await replacePassword(tx, ctx, admin.id, passwordHash, null, now);
    await recordAudit(tx, {
      adminId: null,
      action: 'admin.password_reset',
      subject: { type: 'admin', id: admin.id },
      at: now,
    });
  });
}
