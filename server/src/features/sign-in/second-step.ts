import type { BaseContext } from '../../app-context.ts';
import { insertAudit } from '../../db/queries/audit.ts';
import {
  claimPendingSignIn,
  findPendingSignIn,
  type PendingSignInRow,
} from '../../db/queries/pending-sign-ins.ts';
import { lockAdmin } from '../../db/queries/two-step.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../runtime/app-error.ts';
import { hashSessionToken } from '../../security/secrets/tokens.ts';
import { fitsSeal, sealFields } from '../../trust/row-seal.ts';
import { pendingFields } from '../../trust/sealed-fields.ts';
import { openAdminSession } from './open-admin-session.ts';
import type { SignedIn } from './signed-in.ts';
import { requireCode } from './totp.ts';

/**
 * Completes a sign-in with the code of the second step. A wrong code is audited, as someone has the
 * password.
 *
 * Throws SIGN_IN_EXPIRED, WRONG_CODE, TOTP_UNREADABLE, THROTTLED.
 *
 * @param pending the token from the first step
 */
export async function completeSignIn(
  ctx: BaseContext,
  pending: string,
  code: string,
  now: Date,
): Promise<SignedIn> {
  const tokenHash = hashSessionToken(ctx.keys.sessions, pending);
  const admin = await findPendingSignIn(ctx.db, tokenHash, now);
  if (!admin || !isGenuinePending(ctx, admin.row)) throw new AppError('SIGN_IN_EXPIRED');
  const how = await requireCode(ctx, admin.id, code, now).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'WRONG_CODE') {
      await insertAudit(ctx.db, now, admin.id, 'admin.code_refused');
    }
    throw error;
  });
  return inTransaction(ctx.db, async (tx) => {
    // A change of the password or the second step deletes the pending sign-in under the same lock.
    // Taken first, as there: the other order would deadlock.
    if (!(await lockAdmin(tx, admin.id)) || !(await claimPendingSignIn(tx, tokenHash))) {
      throw new AppError('SIGN_IN_EXPIRED');
    }
    return openAdminSession(tx, ctx, admin, how, now);
  });
}

type Unsealed = Omit<PendingSignInRow, 'seal'>;

/** Binds a sign-in with a right password to its administrator. */
export function sealPending({ keys }: Pick<BaseContext, 'keys'>, row: Unsealed): PendingSignInRow {
  return { ...row, seal: sealFields(keys.integrity, contextOf(row), pendingFields(row)) };
}

/** Whether a pending sign-in was sealed by us for this administrator; raises an alarm if not. */
function isGenuinePending(
  { keys, trust }: Pick<BaseContext, 'keys' | 'trust'>,
  row: PendingSignInRow,
): boolean {
  if (fitsSeal(keys.integrity, contextOf(row), pendingFields(row), row.seal)) return true;
  trust.reportBroken('pending_sign_in', row.adminId);
  return false;
}

const contextOf = ({ tokenHash }: Unsealed) => `pending_sign_ins/${tokenHash.toString('hex')}`;
