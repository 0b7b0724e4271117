import { inOrder } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { momentText } from '@invigil/core/texts/moments';
import { z } from 'zod';
import { ADDRESS, INSTANT, mail, TIME_ZONE, TOKEN } from './mail.ts';

/** To the others whose business it is, when an administrator made one-time passwords to hand out. */
export const passwordsMade = mail({
  kind: 'passwords_made',
  to: 'administrator',
  params: {
    ...{ by: ADDRESS, quizId: TOKEN, count: z.number(), at: INSTANT },
    ...{ publicUrl: ADDRESS, timeZone: TIME_ZONE },
  },
  subjects: {
    standard: () =>
      t('mail.passwordsMade.subject', 'An administrator made one-time passwords to hand out'),
  },
  write: ({ by, quizId, count, at, publicUrl, timeZone }) => [
    t(
      /* {by} is an administrator’s address, {moment} a date with the time */ 'mail.passwordsMade.who',
      '{count, plural, one {{by} made one-time passwords for # person of an assessment at {publicUrl} and has seen them, on {moment}.} other {{by} made one-time passwords for # people of an assessment at {publicUrl} and has seen them, on {moment}.}}',
      { by, count, publicUrl, moment: momentText(at, timeZone) },
    ),
    t(
      /* {quizId} is an id */ 'mail.passwordsMade.whatToDo',
      'The audit log records it with assessment {quizId}. If you did not expect this, ask that administrator and resend the invitations, which replaces the one-time passwords.',
      { quizId: inOrder(quizId) },
    ),
  ],
});
