import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { findAdminByEmail } from '../../../db/queries/codes.ts';
import { deletePendingSignIns } from '../../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { deleteTotp, findTotp, lockAdmin } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { setTotpRequired } from '../../../sessions/sign-in-policy.ts';
import { ADMINS, changeSealed } from '../../../trust/sealed-kinds.ts';
import { requirePassword } from '../passwords/check-password.ts';
import { requireCode } from './require-code.ts';
import { putNewRecoveryCodes } from './set-up-totp.ts';

/** Both steps are required again: access to an open page must not suffice. */
export interface BothSteps {
  currentPassword: string;
  code: string;
}

/** Switches one's own second step off. Throws TOTP_OFF, WRONG_PASSWORD, WRONG_CODE, THROTTLED. */
export async function switchOffTotp(
  ctx: BaseContext,
  session: AdminSession,
  steps: BothSteps,
  now: Date,
): Promise<void> {
  await requireBothSteps(ctx, session, steps, now);
  await inTransaction(ctx.db, async (tx) => {
    await removeTotp(tx, ctx, session.adminId);
    await requireLive(tx, session.id, now);
    await endOtherAdminSessions(tx, session.adminId, session.id, now);
    await note(tx, session.adminId, 'admin.totp_disabled', session.adminId, now);
  });
}

/** Replaces the recovery codes. Throws TOTP_OFF, WRONG_PASSWORD, WRONG_CODE, THROTTLED. */
export async function renewRecoveryCodes(
  ctx: BaseContext,
  session: AdminSession,
  steps: BothSteps,
  now: Date,
): Promise<string[]> {
  await requireBothSteps(ctx, session, steps, now);
  return inTransaction(ctx.db, async (tx) => {
    await requireOn(tx, session.adminId);
    await requireLive(tx, session.id, now);
    await note(tx, session.adminId, 'admin.recovery_codes_renewed', session.adminId, now);
    return putNewRecoveryCodes(tx, ctx, session.adminId);
  });
}

/**
 * Removes the second step of another administrator, who lost it, and ends their sessions. Throws
 * TOTP_OWN, NOT_FOUND, TOTP_OFF, NOT_SIGNED_IN.
 */
export async function resetTotp(
  ctx: BaseContext,
  by: AdminSession,
  adminId: string,
  now: Date,
): Promise<void> {
  if (adminId === by.adminId) throw new AppError('TOTP_OWN');
  await inTransaction(ctx.db, async (tx) => {
    // In a fixed order: two who reset each other would deadlock.
    for (const id of [by.adminId, adminId].sort()) {
      if (!(await lockAdmin(tx, id))) {
        throw new AppError(id === adminId ? 'NOT_FOUND' : 'NOT_SIGNED_IN');
      }
    }
    await removeTotp(tx, ctx, adminId);
    await endOtherAdminSessions(tx, adminId, null, now);
    await note(tx, by.adminId, 'admin.totp_reset', adminId, now);
  });
}

/**
 * Account recovery by the operator, at the machine, when no other administrator can help. Throws
 * NOT_FOUND, TOTP_OFF.
 */
export async function resetTotpAtMachine(
  ctx: Pick<BaseContext, 'db' | 'keys'>,
  email: string,
  now: Date,
): Promise<void> {
  const admin = (await findAdminByEmail(ctx.db, email))?.admin;
  if (!admin) throw new AppError('NOT_FOUND');
  await inTransaction(ctx.db, async (tx) => {
    await removeTotp(tx, ctx, admin.id);
    await endOtherAdminSessions(tx, admin.id, null, now);
    await note(tx, null, 'admin.totp_reset', admin.id, now);
  });
}

/**
 * Sets whether all administrators need the second step; those without must set it up from the next
 * request on. Throws TOTP_FIRST unless the administrator who requires it has one.
 */
export async function requireTotp(
  ctx: BaseContext,
  session: AdminSession,
  totpRequired: boolean,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (totpRequired && !(await findTotp(tx, session.adminId))?.confirmedAt) {
      throw new AppError('TOTP_FIRST');
    }
    await setTotpRequired(tx, ctx, totpRequired, now);
    await recordAudit(tx, {
      adminId: session.adminId,
      action: 'sign_in_policy.changed',
      details: { totpRequired },
      at: now,
    });
  });
}

async function requireBothSteps(
  ctx: BaseContext,
  session: AdminSession,
  { currentPassword, code }: BothSteps,
  now: Date,
): Promise<void> {
  if (!(await findTotp(ctx.db, session.adminId))?.confirmedAt) throw new AppError('TOTP_OFF');
  await requirePassword(ctx, session, currentPassword, now);
  await requireCode(ctx, session.adminId, code, now);
}

async function removeTotp(tx: Tx, { keys }: Pick<BaseContext, 'keys'>, adminId: string) {
  await requireOn(tx, adminId);
  await changeSealed(tx, keys.integrity, ADMINS, [adminId], () => deleteTotp(tx, adminId));
  await deletePendingSignIns(tx, adminId);
}

async function requireOn(tx: Tx, adminId: string): Promise<void> {
  await lockAdmin(tx, adminId);
  if (!(await findTotp(tx, adminId))?.confirmedAt) throw new AppError('TOTP_OFF');
}

async function note(tx: Tx, by: string | null, action: string, adminId: string, at: Date) {
  await recordAudit(tx, { adminId: by, action, subject: { type: 'admin', id: adminId }, at });
}
