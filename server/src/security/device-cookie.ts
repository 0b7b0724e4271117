import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { emailKey } from '@invigil/core/domain/email-address';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';

/*
 * OWASP, "Slow down online guessing attacks with device cookies": a browser that signed in before proves
 * it by a signed cookie and has its own count of failures, so that guesses from elsewhere can be limited
 * per account without locking its owner out. It replaces no credential.
 */

/** A cookie for a browser that has just signed in to an account, which it names by keyed hash only. */
export function newDeviceCookie(key: KeyObject, email: string, now: Date): string {
  const expires = String(now.getTime() + SESSION_LIMITS.knownDeviceMs);
  const device = randomBytes(16).toString('base64url');
  return [expires, device, macOf(key, expires, device, email).toString('base64url')].join('.');
}

/** The device of a cookie that we issued for this account and that has not expired. */
export function knownDevice(
  key: KeyObject,
  cookie: string | undefined,
  email: string,
  now: Date,
): string | undefined {
  const [expires = '', device = '', mac = ''] = (cookie ?? '').split('.');
  const expected = macOf(key, expires, device, email);
  const given = Buffer.from(mac, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Number(expires) > now.getTime() ? device : undefined;
}

function macOf(key: KeyObject, expires: string, device: string, email: string): Buffer {
  return createHmac('sha256', key)
    .update([expires, device, emailKey(email)].join('\n'))
    .digest();
}
