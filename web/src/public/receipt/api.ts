import { getReceiptKey, type ReceiptContent, verifyReceipt } from '@invigil/core/contract/receipts';
import { callEndpoint, inTime } from '../../net/api.ts';

/** What the server says about a receipt. */
export interface Verdict {
  valid: boolean;
  content: ReceiptContent | null;
  /** Whether the stored answers are still the ones it speaks of; `null`: nothing is stored any more. */
  matches: boolean | null;
}

export function verify(receipt: string): Promise<Verdict> {
  return callEndpoint(verifyReceipt, { body: { receipt }, signal: inTime() });
}

/** The key with which receipts of this installation can be verified without it, as PEM. */
export async function publishedKey(): Promise<string> {
  return (await callEndpoint(getReceiptKey, { signal: inTime() })).pem;
}
