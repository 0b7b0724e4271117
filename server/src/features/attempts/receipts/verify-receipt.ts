import type { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import type { AppContext } from '../../../app-context.ts';
import { listAnswersOf } from '../../../db/queries/attempts/answers.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { openReceipt, receiptKeys } from '../../../security/receipts.ts';
import { makeReceipt } from './make-receipt.ts';
import { parseReceiptContent } from './parse-receipt.ts';

/** Whether a receipt is genuine, and whether what is stored still matches it. */
export interface ReceiptVerdict {
  valid: boolean;
  content: ReceiptContent | null;
  matches: boolean | null;
}

export async function verifyReceipt(ctx: AppContext, receipt: string): Promise<ReceiptVerdict> {
  const { publicKey } = receiptKeys(ctx.keys.receipts);
  const content = parseReceiptContent(openReceipt(publicKey, receipt));
  if (content === undefined) return { valid: false, content: null, matches: null };
  const attempt = await findParticipant(ctx.db, content.participantId);
  if (!attempt || attempt.submittedAt === null) return { valid: true, content, matches: null };
  const { signed } = await makeReceipt(ctx, attempt, await listAnswersOf(ctx.db, [attempt.id]));
  return { valid: true, content, matches: signed === receipt };
}
