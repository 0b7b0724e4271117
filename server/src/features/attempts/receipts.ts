import { createHash } from 'node:crypto';
import { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import { changedText } from '@invigil/core/texts/changed-outside';
import type { AttemptContext, BaseContext } from '../../app-context.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { listAnswersOf, type StoredAnswer } from '../../db/queries/attempts/answers.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { listPaperKeys } from '../../db/queries/attempts/paper-keys.ts';
import { insertMessages } from '../../db/queries/outbox.ts';
import { receipt } from '../../deliveries/mails/receipt.ts';
import { messageRow } from '../../deliveries/queue-mail.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { openReceipt, receiptKeys, signReceipt } from '../../security/receipts.ts';
import { readInstitution } from '../../trust/institution.ts';
import { ASSESSMENTS, PEOPLE, readGenuine } from '../../trust/row-kinds.ts';
import { isWhole, RESULTS, resultRow } from '../../trust/sealed-kinds.ts';
import { answerText, UNANSWERED } from './answers/answer-text.ts';
import type { Paper } from './paper-cache.ts';
import { listReceiptRecipients } from './receipt-queries.ts';

/** The public key is the last 32 bytes of its DER form (RFC 8410, section 4). */
const RAW_KEY_BYTES = 32;

export function receiptHandlers(ctx: AttemptContext) {
  return {
    async getReceiptKey() {
      const { publicKey } = receiptKeys(ctx.keys.receipts);
      return {
        algorithm: 'Ed25519' as const,
        publicKey: publicReceiptKey(ctx),
        pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      };
    },
    verifyReceipt: ({ body }) => verifyReceipt(ctx, body.receipt),
  } satisfies Handlers;
}

/** The public key of this installation, base64url. */
export function publicReceiptKey({ keys }: Pick<BaseContext, 'keys'>): string {
  const der = receiptKeys(keys.receipts).publicKey.export({ format: 'der', type: 'spki' });
  return der.subarray(-RAW_KEY_BYTES).toString('base64url');
}

/** A receipt: its content, and the signed text. */
interface Receipt {
  content: ReceiptContent;
  signed: string;
}

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
): Promise<Receipt> {
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
 * The same of an attempt that ended before, from what is stored now; `isGenuine`: its result and answers
 * match their seal. Where they do not, all is read once more: a rescoring may have come between.
 */
export async function readReceipt(
  ctx: Pick<AttemptContext, 'keys' | 'papers' | 'trust'>,
  db: Queryable,
  attempt: ParticipantView,
  isAgain = false,
): Promise<Receipt & { isGenuine: boolean }> {
  const { id } = attempt;
  const answers = await listAnswersOf(db, [id]);
  const keys = await listPaperKeys(db, [id]);
  const isGenuine = isWhole(ctx.keys.integrity, RESULTS, resultRow(attempt, keys, answers));
  const later = isGenuine || isAgain ? undefined : await findParticipant(db, id);
  if (later) return readReceipt(ctx, db, later, true);
  if (!isGenuine) ctx.trust.reportBroken('result', id);
  return { ...(await makeReceipt(ctx, attempt, answers)), isGenuine };
}

/** The same, to be handed out. Throws CHANGED_OUTSIDE. */
export async function requireReceipt(
  ctx: Pick<AttemptContext, 'db' | 'keys' | 'papers' | 'trust'>,
  attempt: ParticipantView,
): Promise<Receipt> {
  const receipt = await readReceipt(ctx, ctx.db, attempt);
  if (receipt.isGenuine) return receipt;
  throw new AppError('CHANGED_OUTSIDE', { message: changedText('attempt') });
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

async function verifyReceipt(ctx: AttemptContext, receipt: string): Promise<ReceiptVerdict> {
  const { publicKey } = receiptKeys(ctx.keys.receipts);
  const content = parseReceiptContent(openReceipt(publicKey, receipt));
  if (content === undefined) return { valid: false, content: null, matches: null };
  const attempt = await findParticipant(ctx.db, content.participantId);
  if (!attempt || attempt.submittedAt === null) return { valid: true, content, matches: null };
  const { signed, isGenuine } = await readReceipt(ctx, ctx.db, attempt);
  return { valid: true, content, matches: isGenuine && signed === receipt };
}

/** The content of a receipt with a valid signature; `undefined` when it is not one of ours. */
function parseReceiptContent(content: unknown): ReceiptContent | undefined {
  return ReceiptContent.safeParse(content).data;
}

/**
 * Queues "we have your answers" in the outbox for attempts whose quiz asks for it.
 *
 * @param ended the end time, by attempt
 */
export async function queueReceipts(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys' | 'trust'>,
  ended: ReadonlyMap<string, Date>,
): Promise<void> {
  const listed = await listReceiptRecipients(tx, [...ended.keys()]);
  if (listed.length === 0) return;
  const userIds = listed.map(({ userId }) => userId);
  const people = await readGenuine(ctx, tx, PEOPLE, userIds);
  const quizIds = listed.map(({ quizId }) => quizId);
  const quizzes = await readGenuine(ctx, tx, ASSESSMENTS, quizIds);
  const { timeZone, publicUrl } = await readInstitution(ctx, tx);
  // Not to an address, or at the wish of an assessment, that was changed outside of Invigil.
  const recipients = listed.flatMap(({ userId, quizId, language, ...attempt }) => {
    const person = people.get(userId);
    const quiz = quizzes.get(quizId);
    if (typeof person?.email !== 'string' || !quiz?.closingMail) return [];
    return {
      ...{ ...attempt, email: person.email, title: quiz.title },
      language: language ?? undefined,
    };
  });
  if (recipients.length === 0) return;
  const verifyUrl = `${publicUrl}/receipt`;
  await insertMessages(
    tx,
    recipients.flatMap(({ email, title, ...of }) => {
      const now = ended.get(of.participantId);
      const message = { ...of, recipient: email, params: { title, timeZone, verifyUrl } };
      return now ? [messageRow(ctx, publicUrl, receipt, message, now)] : [];
    }),
  );
}
