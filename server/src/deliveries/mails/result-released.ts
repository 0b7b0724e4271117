import { isolated } from '@invigil/core/domain/typed-text';
import { momentText } from '@invigil/core/texts/moments';
import { z } from 'zod';
import { ADDRESS, dear, INSTANT, mail, TIME_ZONE, WORDS } from './mail.ts';

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
  subject: { isCorrected: 'Your corrected result: {title}', standard: 'Your result: {title}' },
  write: ({ name, title, isCorrected, until, publicUrl, timeZone, keyFollows }) => [
    ...dear(name),
    `Your result of the assessment "${isolated(title)}" ${isCorrected ? 'was corrected' : 'is ready'}.`,
    `Sign in at ${publicUrl}/login with your email address and the one-time password of your invitation. It opens your result until ${momentText(until, timeZone)}.`,
    ...(keyFollows ? ['It shows the answers once no one can take the assessment any more.'] : []),
  ],
});
