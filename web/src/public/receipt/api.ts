import {
  getReceiptKey,
  type ReceiptContent,
  verifyReceipt,
} from '@invigil/core/contract/attempts/receipts';
import { callEndpoint, inTime } from '../../net/api.ts';

/** The server's result of checking a receipt. */
export interface Verdict {
  valid: boolean;
  content: ReceiptContent | null;
  /** Whether the stored answers still match the receipt; `null`: nothing is stored any more. */
  matches: boolean | null;
}

export function verify(receipt: string): Promise<Verdict> {
  return callEndpoint(verifyReceipt, { body: { receipt }, signal: inTime() });
}

/** The public key for verifying receipts offline, as PEM. */
export async function publishedKey(): Promise<string> {
  return (await callEndpoint(getReceiptKey, { signal: inTime() })).pem;
}
