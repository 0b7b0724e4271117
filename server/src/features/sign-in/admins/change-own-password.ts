import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { type AdminRow, deletePasswordReset, setPasswordHash } from '../../../db/queries/admins.ts';
import { recordAudit } from '../../../db/queries/audit.ts';
import { findAdminByEmail } from '../../../db/queries/codes.ts';
import { deletePendingSignIns } from '../../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { ADMINS, changeSealed } from '../../../trust/sealed-kinds.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requireGoodPassword } from './change-admins.ts';

/**
 * Changes the own password and ends this administrator's other sessions, those
 * included that wait for a second step.
 *
 * Throws WRONG_PASSWORD, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, THROTTLED.
 */
export async function changeOwnPassword(
  ctx: AppContext,
  session: AdminSession,
  current: string,
  next: string,
  now: Date,
): Promise<AdminRow> {
  await requireGoodPassword(ctx, session.email, next, 'newPassword');
  const admin = await requirePassword(ctx, session, current, now);
  const passwordHash = await hashPassword(next);
  await inTransaction(ctx.db, async (tx) => {
    // Another session may have changed it since then: it has ended this one, which decides no more.
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
 * Sets a password for an administrator who is locked, and ends every way in by the old one: sessions
 * but for `keep`, sign-ins that wait for a second step, reset links.
 */
export async function replacePassword(
  tx: Tx,
  { keys }: Pick<AppContext, 'keys'>,
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
 * The way back in for an administrator who forgot the password: by the operator, at the machine. The
 * second step stays. Throws NOT_FOUND.
 */
export async function resetPasswordAtMachine(
  ctx: Pick<AppContext, 'db' | 'keys'>,
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
