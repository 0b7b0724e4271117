import type { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import { isolated } from '@invigil/core/domain/typed-text';
import { secondText } from '@invigil/core/texts/moments';
import { escapeHtml } from './escape-html.ts';
import { ADDRESS, factsTable, mail, page, TIME_ZONE, WORDS } from './mail.ts';

/** Data read when the mail is sent. `ending`: why the attempt ended under its rules; `null`: it did not. */
interface Ended {
  content: ReceiptContent;
  signed: string;
  ending: string | null;
}

/** "We have your answers", with the receipt itself. No result, which is communicated separately. */
export const receipt = mail({
  kind: 'receipt',
  to: 'candidate',
  params: { title: WORDS, timeZone: TIME_ZONE, verifyUrl: ADDRESS },
  kept: ['title', 'timeZone', 'verifyUrl'],
  subject: { standard: 'We have your answers: {title}' },
  write({ title, timeZone, verifyUrl }, { content, signed, ending }: Ended, subject) {
    const facts = [
      ['Receipt', content.id],
      ['Submitted', secondText(content.submittedAt, timeZone)],
      ['Questions answered', `${content.answeredCount} of ${content.totalQuestions}`],
      ['Fingerprint of the answers', content.digest],
    ] as const;
    const ended = ending === null ? null : `Your assessment was ended under its rules. ${ending}`;
    const text = [
      `We have your answers to the assessment "${isolated(title)}".`,
      '',
      ...(ended === null ? [] : [ended, '']),
      ...facts.map(([label, value]) => `${label}: ${value}`),
      '',
      'Results are communicated separately. Keep this message: the receipt below is signed, and anyone',
      `can verify it at ${verifyUrl}`,
      '',
      signed,
    ].join('\n');
    const url = escapeHtml(verifyUrl);
    const html = page(
      subject,
      `<p style="margin:0 0 16px">We have your answers to the assessment <strong>${escapeHtml(title)}</strong>.</p>
${ended === null ? '' : `<p style="margin:0 0 16px">${escapeHtml(ended)}</p>\n`}${factsTable(facts)}
<p style="margin:0 0 8px">Results are communicated separately. Keep this message: the receipt below is signed, and anyone can verify it at <a href="${url}">${url}</a>.</p>
<p style="margin:0;font:14px/20px 'IBM Plex Mono',ui-monospace,Consolas,monospace;word-break:break-all">${signed}</p>`,
    );
    return { text, html };
  },
});
