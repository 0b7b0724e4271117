import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { Secret, TOTP } from 'otpauth';

const { digits, periodSeconds, windowPeriods, secretBytes } = TOTP_LIMITS;

/** A new secret, in base32 so that people can type it. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The content of the QR code: issuer, account and secret, as authenticator apps read it. */
export function totpUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * The time step of a code, or `null` when it is not valid now. RFC 6238 with SHA-1, six digits and 30 s,
 * which every app supports. Digits may be grouped by blanks.
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, '');
  if (!/^\d+$/.test(token) || token.length !== digits) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret, '').validate({ token, timestamp, window: windowPeriods });
  return delta === null ? null : Math.floor(timestamp / (periodSeconds * 1_000)) + delta;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Invigil',
    label,
    algorithm: 'SHA1',
    digits,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}
