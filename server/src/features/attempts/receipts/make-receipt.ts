import { createHash } from 'node:crypto';
import type { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import type { AppContext } from '../../../app-context.ts';
import type { StoredAnswer } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { receiptKeys, signReceipt } from '../../../security/receipts.ts';
import { answerText, UNANSWERED } from '../answers/answer-text.ts';
import type { Paper } from '../paper/paper-cache.ts';

/**
 * The receipt of an attempt that has ended. Recreated on demand: the answers no longer change, and the
 * same content gets the same signature.
 *
 * @param answers the stored ones, in any order
 */
export async function makeReceipt(
  ctx: Pick<AppContext, 'keys' | 'papers'>,
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
