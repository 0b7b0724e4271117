import { t } from '@invigil/core/texts/i18n';
import { momentText } from '@invigil/core/texts/moments';
import { z } from 'zod';
import { ADDRESS, dear, INSTANT, mail, quoted, TIME_ZONE, WORDS } from './mail.ts';

/** To a candidate whose result was released, or released again; never the result itself. */
export const resultReleased = mail({
  kind: 'result_released',
  to: 'candidate',
  params: {
    ...{ name: WORDS, title: WORDS, isCorrected: z.boolean() },
    ...{ until: INSTANT, publicUrl: ADDRESS, timeZone: TIME_ZONE },
    /** Answers or explanations follow: no other message says so. */
    keyFollows: z.boolean().default(false),
  },
  kept: ['title', 'isCorrected', 'until', 'publicUrl', 'timeZone', 'keyFollows'],
  subjects: {
    isCorrected: ({ title }) =>
      t('mail.resultReleased.subjectOfCorrected', 'Your corrected result: {title}', { title }),
    standard: ({ title }) => t('mail.resultReleased.subject', 'Your result: {title}', { title }),
  },
  write: ({ name, title, isCorrected, until, publicUrl, timeZone, keyFollows }) => [
    ...dear(name),
    isCorrected
      ? t(
          /* {title} is in quotation marks */ 'mail.resultReleased.wasCorrected',
          'Your result of the assessment {title} was corrected.',
          { title: quoted(title) },
        )
      : t(
          /* {title} is in quotation marks */ 'mail.resultReleased.isReady',
          'Your result of the assessment {title} is ready.',
          { title: quoted(title) },
        ),
    t(
      /* {address} is that of a page, {moment} a date with the time; “it”: the one-time password */ 'mail.resultReleased.signIn',
      'Sign in at {address} with your email address and the one-time password of your invitation. It opens your result until {moment}.',
      { address: `${publicUrl}/login`, moment: momentText(until, timeZone) },
    ),
    ...(keyFollows
      ? [
          t(
            /* “it”: the page of the result */ 'mail.resultReleased.keyFollows',
            'It shows the answers once no one can take the assessment any more.',
          ),
        ]
      : []),
  ],
});
