import { MAIL_LIMITS } from './limits.ts';

/**
 * What HTML's e-mail input accepts (WHATWG HTML, "valid e-mail address"), with at least one dot in the
 * domain or `localhost`: a single label cannot be delivered to from elsewhere.
 */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:localhost|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+)$/i;

/** Whether a trimmed string is an address that mail can be sent to. */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAIL_LIMITS.addressMaxCharacters) return false;
  const at = text.lastIndexOf('@');
  return (
    at > 0 &&
    at <= 64 &&
    !text.includes('..') &&
    !text.startsWith('.') &&
    text[at - 1] !== '.' &&
    ADDRESS.test(text)
  );
}

/** Key for comparing addresses: regardless of case and surrounding spaces (product 10). */
export function emailKey(address: string): string {
  return address.trim().toLowerCase();
}
