import type { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';
import type { RenderedMessage } from './invitation-message.ts';

/** The content of a confirmation email besides the receipt. */
export const ReceiptVariables = z.object({
  title: z.string(),
  timeZone: z.string(),
  verifyUrl: z.string(),
});
export type ReceiptVariables = z.infer<typeof ReceiptVariables>;

export function receiptSubject(title: string): string {
  return `We have your answers: ${title}`.replace(/\s+/g, ' ');
}

/**
 * "We have your answers", with the receipt itself. No result, which is communicated separately.
 *
 * @param ending why the attempt ended under its rules; `null` if it did not
 */
export function renderReceipt(
  { title, timeZone, verifyUrl }: ReceiptVariables,
  { content, signed }: { content: ReceiptContent; signed: string },
  ending: string | null,
): RenderedMessage {
  const subject = receiptSubject(title);
  const at = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'medium',
  }).format(new Date(content.submittedAt));
  const facts = [
    ['Receipt', content.id],
    ['Submitted', `${at} (${timeZone})`],
    ['Questions answered', `${content.answeredCount} of ${content.totalQuestions}`],
    ['Fingerprint of the answers', content.digest],
  ] as const;
  const text = [
    `We have your answers to the assessment "${title}".`,
    '',
    ...(ending === null ? [] : [`Your assessment was ended under its rules. ${ending}`, '']),
    ...facts.map(([label, value]) => `${label}: ${value}`),
    '',
    'Results are communicated separately. Keep this message: the receipt below is signed, and anyone',
    `can verify it at ${verifyUrl}`,
    '',
    signed,
  ].join('\n');
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#444e5a">${label}</td><td style="padding:4px 0"><strong>${escapeHtml(value)}</strong></td></tr>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f9;color:#181e29;font:16px/24px 'IBM Plex Sans',system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dce0e5;border-radius:10px">
<p style="margin:0 0 16px">We have your answers to the assessment <strong>${escapeHtml(title)}</strong>.</p>
${ending === null ? '' : `<p style="margin:0 0 16px">Your assessment was ended under its rules. ${escapeHtml(ending)}</p>\n`}<table role="presentation" style="border-collapse:collapse;margin:0 0 24px">
${rows.join('\n')}
</table>
<p style="margin:0 0 8px">Results are communicated separately. Keep this message: the receipt below is signed, and anyone can verify it at <a href="${escapeHtml(verifyUrl)}">${escapeHtml(verifyUrl)}</a>.</p>
<p style="margin:0;font:14px/20px 'IBM Plex Mono',ui-monospace,Consolas,monospace;word-break:break-all">${signed}</p>
</div></body></html>
`;
  return { subject, text, html };
}
