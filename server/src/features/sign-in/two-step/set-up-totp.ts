import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { groupCode } from '@invigil/core/domain/one-time-code';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { deletePendingSignIns } from '../../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { clearFailures } from '../../../db/queries/throttle.ts';
import {
  findTotp,
  lockAdmin,
  putUnconfirmedTotp,
  replaceRecoveryCodes,
  setTotpConfirmed,
} from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashOneTimeCode, newOneTimeCode } from '../../../security/secrets/codes.ts';
import { newTotpSecret, stepOfCode, totpUri } from '../../../security/secrets/totp.ts';
import { accountThrottleKey } from '../../../security/throttle-key.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { ADMINS, changeSealed } from '../../../trust/sealed-kinds.ts';
import { requirePassword } from '../passwords/check-password.ts';
import { requireReservedTry } from '../passwords/throttle.ts';
import { openTotpSecret, sealTotpSecret } from './secret.ts';

/**
 * A new secret for the administrator's own second step. It is not required until a first code confirms
 * it, so an abandoned setup has no effect.
 *
 * Throws WRONG_PASSWORD, THROTTLED, TOTP_ON.
 */
export async function beginTotp(
  ctx: BaseContext,
  session: AdminSession,
  password: string,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  await requirePassword(ctx, session, password, now);
  const secret = newTotpSecret();
  await inTransaction(ctx.db, async (tx) => {
    await requireHeld(tx, session, now);
    if ((await findTotp(tx, session.adminId))?.confirmedAt) throw new AppError('TOTP_ON');
    const sealed = sealTotpSecret(ctx, session.adminId, secret);
    await putUnconfirmedTotp(tx, session.adminId, sealed, now);
  });
  return { secret, uri: totpUri(secret, session.email) };
}

/**
 * Turns on your own second step with a first code. The other sessions, opened without one, end. Returns
 * the recovery codes, which are never shown again.
 *
 * Throws TOTP_OFF when no setup was begun, TOTP_ON, TOTP_UNREADABLE, WRONG_CODE, THROTTLED.
 */
export async function confirmTotp(
  ctx: BaseContext,
  session: AdminSession,
  code: string,
  now: Date,
): Promise<string[]> {
  const { adminId } = session;
  const key = accountThrottleKey(ctx.keys.throttle, adminId);
  await requireReservedTry(ctx.db, key, now, TOTP_LIMITS.throttleMaxSeconds);
  const codes = await inTransaction(ctx.db, async (tx) => {
    await requireHeld(tx, session, now);
    const totp = await findTotp(tx, adminId);
    if (!totp) throw new AppError('TOTP_OFF');
    if (totp.confirmedAt) throw new AppError('TOTP_ON');
    const step = stepOfCode(openTotpSecret(ctx, totp), code, now);
    if (step === null) throw AppError.at('code', 'WRONG_CODE');
    await changeSealed(tx, ctx.keys.integrity, ADMINS, [adminId], () =>
      setTotpConfirmed(tx, adminId, step, now),
    );
    await endOtherAdminSessions(tx, adminId, session.id, now);
    await deletePendingSignIns(tx, adminId);
    await recordAudit(tx, {
      adminId,
      action: 'admin.totp_enabled',
      subject: { type: 'admin', id: adminId },
      at: now,
    });
    return putNewRecoveryCodes(tx, ctx, adminId);
  });
  await clearFailures(ctx.db, key);
  return codes;
}

/** Creates ten recovery codes; earlier ones become void. */
export async function putNewRecoveryCodes(
  tx: Tx,
  ctx: BaseContext,
  adminId: string,
): Promise<string[]> {
  const codes = Array.from({ length: TOTP_LIMITS.recoveryCodes }, newOneTimeCode);
  const hashes = codes.map((code) => hashOneTimeCode(ctx.keys.recovery, code));
  await replaceRecoveryCodes(tx, adminId, hashes);
  return codes.map(groupCode);
}

/** A concurrent password change may have ended this session while it waited for the lock. */
async function requireHeld(tx: Tx, session: AdminSession, now: Date): Promise<void> {
  if (!(await lockAdmin(tx, session.adminId))) throw new AppError('NOT_SIGNED_IN');
  await requireLive(tx, session.id, now);
}
