import { createHmac } from 'node:crypto';
import { emailKey } from '@invigil/core/domain/email-address';

/** Failures count per account and address together; the pair is kept as a keyed hash only. */
export function throttleKey(key: Buffer, email: string, address: string): Buffer {
  return createHmac('sha256', key)
    .update(`${emailKey(email)}\n${address}`)
    .digest();
}
