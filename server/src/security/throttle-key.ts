import { createHmac, type KeyObject } from 'node:crypto';
import { emailKey } from '@invigil/core/domain/email-address';
import ipaddr from 'ipaddr.js';

/** Of an IPv6 address: what one household or one machine gets, and what one site gets (RFC 6177). */
const HOUSEHOLD_BITS = 64;
const SITE_BITS = 48;

/**
 * What anyone can make rows of, by trying other addresses and accounts. Each kind counts in a table of
 * fixed size: two bytes of the keyed hash name the slot, so all kinds together are at most
 * 5 × 65,536 rows. Which slot is whose cannot be known without the key; a collision makes one wrong
 * try wait for another one's.
 */
const KINDS = { code: 1, password: 2, account: 3, network: 4, reset: 5 } as const;
const SLOT_BYTES = 2;

function slotKey(key: KeyObject, kind: keyof typeof KINDS, ...parts: string[]): Buffer {
  const hash = createHmac('sha256', key)
    .update([kind, ...parts].join('\n'))
    .digest();
  return Buffer.concat([Buffer.of(KINDS[kind]), hash.subarray(0, SLOT_BYTES)]);
}

/** The codes of a second step count per account alone: they are too few for a count per address. */
export function accountThrottleKey(key: KeyObject, adminId: string): Buffer {
  return createHmac('sha256', key).update(`second-step\n${adminId}`).digest();
}

/** A known device counts by itself: no one else can make it wait. */
export function deviceThrottleKey(key: KeyObject, email: string, device: string): Buffer {
  return createHmac('sha256', key)
    .update(`device\n${device}\n${emailKey(email)}`)
    .digest();
}

/** The password asked for again within a session counts by itself, too. */
export function sessionThrottleKey(key: KeyObject, sessionId: string): Buffer {
  return createHmac('sha256', key).update(`session\n${sessionId}`).digest();
}

/**
 * Failures count per account and address together; the pair is kept as a keyed hash only. Anyone with
 * an IPv6 address has 2^64 of them, so its network counts. Wrong one-time passwords cost nothing to
 * try and count apart, so that a flood of them holds up no password.
 */
export function throttleKey(
  key: KeyObject,
  kind: 'code' | 'password',
  email: string,
  address: string,
): Buffer {
  return slotKey(key, kind, networkOf(address, HOUSEHOLD_BITS), emailKey(email));
}

/** The budget of an account, existing or not. */
export function accountBudgetKey(key: KeyObject, email: string): Buffer {
  return slotKey(key, 'account', emailKey(email));
}

/** The budget of reset links of an account, existing or not. */
export function resetBudgetKey(key: KeyObject, email: string): Buffer {
  return slotKey(key, 'reset', emailKey(email));
}

/** The budget of a network. */
export function networkBudgetKey(key: KeyObject, address: string): Buffer {
  return slotKey(key, 'network', siteOf(address));
}

/** An IPv4 address, or the /48 of an IPv6 one: what one customer is given at most. */
export function siteOf(address: string): string {
  return networkOf(address, SITE_BITS);
}

function networkOf(text: string, bits: number): string {
  if (!ipaddr.isValid(text)) return text;
  // IPv4 as it reaches a socket for both (::ffff:192.0.2.7) is IPv4.
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`).toString()
    : address.toString();
}
