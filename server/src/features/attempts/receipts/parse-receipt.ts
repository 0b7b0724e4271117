import { ReceiptContent } from '@invigil/core/contract/attempts/receipts';

/** The content of a receipt with a valid signature; `undefined` when it is not one of ours. */
export function parseReceiptContent(content: unknown): ReceiptContent | undefined {
  return ReceiptContent.safeParse(content).data;
}
