import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { Secret, TOTP } from 'otpauth';

/**
 * The code that a person's app shows for a secret.
 *
 * @param periods how many periods from now; the app's clock may be wrong
 */
export function shownCode(secret: string, at: Date, periods = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: at.getTime() + periods * TOTP_LIMITS.periodSeconds * 1_000 });
}
