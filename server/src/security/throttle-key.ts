import { createHmac, type KeyObject } from 'node:crypto';
import { emailKey } from '@invigil/core/domain/email-address';
import ipaddr from 'ipaddr.js';

/**
 * The part of an IPv6 address that counts: the prefix of one household or machine, and of one site (RFC
 * 6177).
 */
const HOUSEHOLD_BITS = 64;
const SITE_BITS = 48;

/**
 * Anyone can create rows by trying other addresses and accounts, so each kind counts in a table of fixed
 * size: two bytes of the keyed hash are the slot, at most 5 × 65,536 rows for all kinds. Without the key,
 * slots cannot be predicted; a collision makes one wrong try wait for another's.
 */
const KINDS = { code: 1, password: 2, account: 3, network: 4, reset: 5 } as const;
const SLOT_BYTES = 2;

function slotKey(key: KeyObject, kind: keyof typeof KINDS, ...parts: string[]): Buffer {
  const hash = createHmac('sha256', key)
    .update([kind, ...parts].join('\n'))
    .digest();
  return Buffer.concat([Buffer.of(KINDS[kind]), hash.subarray(0, SLOT_BYTES)]);
}

/** The codes of a second step count per account only: they are too few to count per address. */
export function accountThrottleKey(key: KeyObject, adminId: string): Buffer {
  return createHmac('sha256', key).update(`second-step\n${adminId}`).digest();
}

/** A known device counts separately: no one else can make it wait. */
export function deviceThrottleKey(key: KeyObject, email: string, device: string): Buffer {
  return createHmac('sha256', key)
    .update(`device\n${device}\n${emailKey(email)}`)
    .digest();
}

/** The password confirmed within a session counts separately, too. */
export function sessionThrottleKey(key: KeyObject, sessionId: string): Buffer {
  return createHmac('sha256', key).update(`session\n${sessionId}`).digest();
}

/**
 * Failures count per account and address together; the pair is stored as a keyed hash only. One IPv6
 * network has 2^64 addresses, so the network counts. Wrong one-time passwords are cheap to try and count
 * separately, so that a flood of them delays no password.
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

/** An IPv4 address, or the /48 of an IPv6 one: the most that one customer gets. */
export function siteOf(address: string): string {
  return networkOf(address, SITE_BITS);
}

function networkOf(text: string, bits: number): string {
  if (!ipaddr.isValid(text)) return text;
  // IPv4 as seen by a dual-stack socket (::ffff:192.0.2.7) is IPv4.
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`).toString()
    : address.toString();
}
