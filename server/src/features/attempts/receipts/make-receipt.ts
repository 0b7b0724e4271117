import { createHash } from 'node:crypto';
import { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import type { AttemptContext } from '../../../app-context.ts';
import { listAnswersOf, type StoredAnswer } from '../../../db/queries/attempts/answers.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { openReceipt, receiptKeys, signReceipt } from '../../../security/receipts.ts';
import { answerText, UNANSWERED } from '../answers/answer-text.ts';
import type { Paper } from '../paper/paper-cache.ts';

/**
 * The receipt of an attempt that has ended. Recreated on demand: the answers no longer change, and the
 * same content gets the same signature.
 *
 * @param answers the stored ones, in any order
 */
export async function makeReceipt(
  ctx: Pick<AttemptContext, 'keys' | 'papers'>,
  attempt: ParticipantView,
  answers: readonly StoredAnswer[],
): Promise<{ content: ReceiptContent; signed: string }> {
  if (attempt.submittedAt === null || attempt.receiptId === null) {
    throw new Error('a receipt was requested before the attempt ended');
  }
  const content: ReceiptContent = {
    version: 1,
    id: attempt.receiptId,
    participantId: attempt.id,
    submittedAt: attempt.submittedAt.toISOString(),
    answeredCount: attempt.answered,
    totalQuestions: attempt.totalMarks,
    digest: digestOf(await ctx.papers.get(attempt.id), answers),
  };
  return { content, signed: signReceipt(receiptKeys(ctx.keys.receipts).privateKey, content) };
}

/**
 * SHA-256, base64url, of the JSON of `[[position, questionId, selected text], …]` in the paper's order,
 * without whitespace; a question without an answer has the text "". docs/receipts.md.
 */
function digestOf(paper: Paper, answers: readonly StoredAnswer[]): string {
  const given = new Map(answers.map((answer) => [answer.questionId, answer]));
  const rows = paper.entries.map((entry) => {
    const answer = given.get(entry.questionId) ?? UNANSWERED;
    return [entry.position, entry.questionId, answerText(entry, answer)];
  });
  return createHash('sha256').update(JSON.stringify(rows), 'utf8').digest('base64url');
}

/** Whether a receipt is genuine, and whether what is stored still matches it. */
interface ReceiptVerdict {
  valid: boolean;
  content: ReceiptContent | null;
  matches: boolean | null;
}

export async function verifyReceipt(ctx: AttemptContext, receipt: string): Promise<ReceiptVerdict> {
  const { publicKey } = receiptKeys(ctx.keys.receipts);
  const content = parseReceiptContent(openReceipt(publicKey, receipt));
  if (content === undefined) return { valid: false, content: null, matches: null };
  const attempt = await findParticipant(ctx.db, content.participantId);
  if (!attempt || attempt.submittedAt === null) return { valid: true, content, matches: null };
  const { signed } = await makeReceipt(ctx, attempt, await listAnswersOf(ctx.db, [attempt.id]));
  return { valid: true, content, matches: signed === receipt };
}

/** The content of a receipt with a valid signature; `undefined` when it is not one of ours. */
function parseReceiptContent(content: unknown): ReceiptContent | undefined {
  return ReceiptContent.safeParse(content).data;
}
