import { ReceiptContent } from '@invigil/core/contract/receipts';

/** The content of a receipt whose signature is right; `undefined` where it is not one of ours. */
export function parseReceiptContent(content: unknown): ReceiptContent | undefined {
  return ReceiptContent.safeParse(content).data;
}
