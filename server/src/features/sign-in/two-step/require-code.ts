import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import type { BaseContext } from '../../../app-context.ts';
import { clearFailures } from '../../../db/queries/throttle.ts';
import { consumeRecoveryCode, consumeStep, findTotp } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashOneTimeCode } from '../../../security/secrets/codes.ts';
import { stepOfCode } from '../../../security/secrets/totp.ts';
import { accountThrottleKey } from '../../../security/throttle-key.ts';
import { requireReservedTry } from '../passwords/throttle.ts';
import { openTotpSecret } from './secret.ts';

/** What was accepted as the second step. */
export type SecondStepKind = 'app' | 'recovery_code';

/**
 * Verifies the code of an administrator's second step and uses it up. A recovery code is checked before
 * the throttle: it has 75 random bits, and someone who knows the password and guesses codes must not lock
 * the owner out.
 *
 * Throws WRONG_CODE, TOTP_UNREADABLE, THROTTLED.
 */
export async function requireCode(
  ctx: BaseContext,
  adminId: string,
  typed: string,
  now: Date,
): Promise<SecondStepKind> {
  const key = accountThrottleKey(ctx.keys.throttle, adminId);
  if (isCodeShaped(typed)) {
    if (await consumeRecoveryCode(ctx.db, adminId, hashOneTimeCode(ctx.keys.recovery, typed))) {
      await clearFailures(ctx.db, key);
      return 'recovery_code';
    }
  }
  const totp = await findTotp(ctx.db, adminId);
  // Before the throttle: while no code can be verified, none counts as wrong.
  const secret = totp?.confirmedAt ? openTotpSecret(ctx, totp) : null;
  await requireReservedTry(ctx.db, key, now, TOTP_LIMITS.throttleMaxSeconds);
  const step = secret === null ? null : stepOfCode(secret, typed, now);
  if (step === null || !(await consumeStep(ctx.db, adminId, step))) {
    throw AppError.at('code', 'WRONG_CODE');
  }
  await clearFailures(ctx.db, key);
  return 'app';
}
