import type { ReceiptContent } from '@invigil/core/contract/attempts/receipts';
import { inOrder, isolated } from '@invigil/core/domain/typed-text';
import { endingText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { secondText } from '@invigil/core/texts/moments';
import { escapeHtml } from './escape-html.ts';
import {
  ADDRESS,
  factsHtml,
  labelText,
  mail,
  page,
  quoted,
  sentenceAround,
  TIME_ZONE,
  WORDS,
} from './mail.ts';

/** Data read when the mail is sent. `ending`: why the attempt ended under its rules; `null`: it did not. */
interface Ended {
  content: ReceiptContent;
  signed: string;
  ending: Parameters<typeof endingText>[0] | null;
}

/** "We have your answers", with the receipt itself. No result, which is communicated separately. */
export const receipt = mail({
  kind: 'receipt',
  to: 'candidate',
  params: { title: WORDS, timeZone: TIME_ZONE, verifyUrl: ADDRESS },
  kept: ['title', 'timeZone', 'verifyUrl'],
  subjects: {
    standard: ({ title }) => t('mail.receipt.subject', 'We have your answers: {title}', { title }),
  },
  write({ title, timeZone, verifyUrl }, { content, signed, ending }: Ended, subject) {
    const facts = factsOf(content, timeZone);
    const ended =
      ending === null
        ? null
        : `${t('mail.receipt.ended', 'Your assessment was ended under its rules.')} ${endingText(ending)}`;
    const text = [
      opening(quoted(title)),
      '',
      ...(ended === null ? [] : [ended, '']),
      ...facts.map(([label, value]) => `${labelText(label)} ${value}`),
      '',
      t(
        /* in plain text: a new line within about 100 signs; the receipt itself stands below */ 'mail.receipt.keepInLines',
        'Results are communicated separately. Keep this message: the receipt below is signed, and anyone\ncan verify it at {url}',
        { url: verifyUrl },
      ),
      '',
      signed,
    ].join('\n');
    const url = escapeHtml(verifyUrl);
    const html = page(
      subject,
      `<p style="margin:0 0 16px">${sentenceAround(`<strong>${escapeHtml(isolated(title))}</strong>`, opening)}</p>
${ended === null ? '' : `<p style="margin:0 0 16px">${escapeHtml(ended)}</p>\n`}${factsHtml(facts)}
<p style="margin:0 0 8px">${sentenceAround(`<a href="${url}">${url}</a>`, keep)}</p>
<p dir="ltr" style="margin:0;font:14px/20px 'IBM Plex Mono',ui-monospace,Consolas,monospace;word-break:break-all">${signed}</p>`,
    );
    return { text, html };
  },
});

const opening = (title: string): string =>
  t(
    /* {title} is in quotation marks or bold */ 'mail.receipt.opening',
    'We have your answers to the assessment {title}.',
    { title },
  );

const keep = (url: string): string =>
  t(
    /* {url} is a link; the receipt itself stands below */ 'mail.receipt.keep',
    'Results are communicated separately. Keep this message: the receipt below is signed, and anyone can verify it at {url}.',
    { url },
  );

const factsOf = (content: ReceiptContent, timeZone: string) =>
  [
    [
      t(
        /* label of its number: that of the message “We have your answers” */ 'mail.receipt.id',
        'Receipt',
      ),
      inOrder(content.id),
    ],
    [
      t(
        /* label of the time at which the answers were submitted */ 'mail.receipt.submitted',
        'Submitted',
      ),
      secondText(content.submittedAt, timeZone),
    ],
    [
      t(/* label of “19 of 20” */ 'mail.receipt.answered', 'Questions answered'),
      t(/* how many questions were answered */ 'mail.receipt.answeredOf', '{answered} of {total}', {
        answered: content.answeredCount,
        total: content.totalQuestions,
      }),
    ],
    [
      t(/* label of a hash of the answers */ 'mail.receipt.digest', 'Fingerprint of the answers'),
      inOrder(content.digest),
    ],
  ] as const;
