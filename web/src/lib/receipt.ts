import { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import { dateText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

/** Submission time to the second, in the reader's time zone, with its name. */
const MOMENT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const;

export function readReceipt(signed: string): ReceiptContent | null {
  try {
    const base64 = (signed.split('.')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const content = ReceiptContent.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return content.data ?? null;
  } catch {
    return null;
  }
}

/** A line about a receipt; codes are compared letter by letter. */
type ReceiptFact = [label: string, value: string, kind: 'code' | 'words'];

/** The line with the number of a receipt. */
export function receiptNumber(id: string): ReceiptFact {
  return [t(/* label of its number */ 'receipt.receipt', 'Receipt'), id, 'code'];
}

/** `22 of 25` questions. */
export function answeredText({
  answeredCount: answered,
  totalQuestions: total,
}: Pick<ReceiptContent, 'answeredCount' | 'totalQuestions'>): string {
  return t(/* questions */ 'receipt.answeredOfTotal', '{answered} of {total}', { answered, total });
}

/** The lines of what a receipt confirms. */
export function receiptFacts(content: ReceiptContent): ReceiptFact[] {
  return [
    receiptNumber(content.id),
    [
      t(/* label of a date: when the answers were submitted */ 'receipt.submitted', 'Submitted'),
      dateText(content.submittedAt, MOMENT),
      'words',
    ],
    [
      t(/* label of a count */ 'receipt.questionsAnswered', 'Questions answered'),
      answeredText(content),
      'words',
    ],
    [
      t(/* label of a hash value */ 'receipt.fingerprint', 'Fingerprint of the answers'),
      content.digest,
      'code',
    ],
  ];
}

/**
 * Finds the receipt in pasted or dropped text: the saved file, the whole mail, or the receipt broken
 * into lines by a mail program. Anything else is returned trimmed, for the server to validate.
 */
export function receiptIn(pasted: string): string {
  // Raw mail has soft line breaks (quoted-printable, RFC 2045 6.7).
  const text = pasted.replace(/=\r?\n/g, '');
  const whole = text.replace(/\s+/g, '');
  if (FORM.test(whole)) return whole;
  const words = text.split(/[\s"'<>]+/).filter((word) => FORM.test(word));
  return words.sort((a, b) => b.length - a.length)[0] ?? text.trim();
}

/** A signature of 64 bytes has 86 characters. */
const FORM = /^[\w-]{40,}\.[\w-]{86}$/;
