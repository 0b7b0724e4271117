/// <reference path="./punycode.d.ts" />
import { decode, encode } from 'punycode/punycode.es6.js';
import { MAIL_LIMITS } from './limits.ts';

/**
 * Addresses that HTML's e-mail input accepts (WHATWG HTML, "valid e-mail address"), with at least one dot in
 * the domain or `localhost`: a single label cannot be delivered to from elsewhere.
 */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:localhost|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+)$/i;

/** Letters, digits and hyphens of any script, no hyphen at an end. */
const ANY_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]*(?<!-)$/u;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Whether a trimmed string is an address that mail can be sent to. The domain may be in any script. */
export function isEmailAddress(text: string): boolean {
  return addressProblem(text) === null;
}

/** `sign`: of another script before the @, which mail servers do not deliver to. */
export type AddressProblem = { code: 'not_email' } | { code: 'not_deliverable'; sign: string };

/** Why a trimmed string is no address that mail can be sent to, or `null`. */
export function addressProblem(text: string): AddressProblem | null {
  const address = asciiEmail(text);
  const at = address.lastIndexOf('@');
  const sign = [...address.slice(0, Math.max(0, at))].find((c) => BEYOND_ASCII.test(c));
  if (sign !== undefined && ADDRESS.test(`a${address.slice(at)}`) && !/[\s<>",;]/.test(address)) {
    return { code: 'not_deliverable', sign };
  }
  const isAddress =
    text.length <= MAIL_LIMITS.addressMaxCharacters &&
    address.length <= MAIL_LIMITS.addressMaxCharacters &&
    at > 0 &&
    at <= 64 &&
    !address.includes('..') &&
    !address.startsWith('.') &&
    address[at - 1] !== '.' &&
    ADDRESS.test(address);
  return isAddress ? null : { code: 'not_email' };
}

/** The address with its domain in ASCII (`xn--…`), as mail servers take it. */
export function asciiEmail(address: string): string {
  return withDomain(address, asciiDomain);
}

/** A name of a mail server or of a domain in ASCII. */
export function asciiDomain(domain: string): string {
  return withLabels(domain, BEYOND_ASCII, (label) =>
    BEYOND_ASCII.test(label) ? `xn--${encode(label)}` : label,
  );
}

/** The address with its domain in its own script, as people read it. Other addresses stay as they are. */
export function readableEmail(address: string): string {
  return withDomain(address, (domain) => withLabels(domain, /[^\0-\x7f]|(^|\.)xn--/i, readable));
}

function readable(label: string): string {
  if (!label.startsWith('xn--')) return label;
  try {
    // Throws for what no label encodes to (RFC 3492).
    const own = decode(label.slice(4));
    // Only what is encoded the same way again: one address has one spelling.
    return toLabels(own).join('.') === own && encode(own) === label.slice(4) ? own : label;
  } catch {
    return label;
  }
}

function withDomain(address: string, change: (domain: string) => string): string {
  const at = address.lastIndexOf('@');
  if (at < 0 || address.length > MAIL_LIMITS.addressMaxCharacters) return address;
  return address.slice(0, at + 1) + change(address.slice(at + 1));
}

function withLabels(domain: string, when: RegExp, change: (label: string) => string): string {
  if (!when.test(domain)) return domain;
  const labels = toLabels(domain);
  return labels.every((label) => ANY_LABEL.test(label)) ? labels.map(change).join('.') : domain;
}

/** Lower case, composed, with the full stops of other scripts as points (UTS 46, in the main). */
function toLabels(domain: string): string[] {
  return domain.normalize('NFKC').replaceAll('。', '.').toLowerCase().normalize('NFC').split('.');
}

/**
 * Key for comparing addresses: regardless of case, surrounding spaces (product 10), and whether the
 * domain is written in its own script or as `xn--…`.
 */
export function emailKey(address: string): string {
  return readableEmail(address.trim()).toLowerCase();
}

/** The spellings under which an address may be stored, in lower case. */
export function emailSpellings(address: string): string[] {
  const key = emailKey(address);
  return [...new Set([key, asciiEmail(key)])];
}
