import { createHmac, type KeyObject } from 'node:crypto';
import { emailKey } from '@invigil/core/domain/email-address';
import ipaddr from 'ipaddr.js';

/** Of an IPv6 address: what is handed out to one household or one machine. */
const NETWORK_BITS = 64;

/** The codes of a second step count per account alone: they are too few for a count per address. */
export function accountThrottleKey(key: KeyObject, adminId: string): Buffer {
  return createHmac('sha256', key).update(`second-step\n${adminId}`).digest();
}

/**
 * Failures count per account and address together; the pair is kept as a keyed hash only. Whoever has
 * an IPv6 address has 2^64 of them, so its network counts.
 */
export function throttleKey(key: KeyObject, email: string, address: string): Buffer {
  return createHmac('sha256', key)
    .update(`${emailKey(email)}\n${networkOf(address)}`)
    .digest();
}

function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  // IPv4 as it reaches a socket for both (::ffff:192.0.2.7) is IPv4.
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(
        `${address.toNormalizedString()}/${NETWORK_BITS}`,
      ).toString()
    : address.toString();
}
