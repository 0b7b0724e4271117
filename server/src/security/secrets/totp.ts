import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { Secret, TOTP } from 'otpauth';

const { digits, periodSeconds, windowPeriods, secretBytes } = TOTP_LIMITS;

/** A new secret, in the base32 that people can type. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What the QR code says: issuer, account and secret, as authenticator apps read it. */
export function totpUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * The time step that a code belongs to, or `null` when it is not right now. RFC 6238 with SHA-1, six
 * digits and 30 s: what every app understands. Digits may be grouped by blanks.
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
