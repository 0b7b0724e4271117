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
  subject: { standard: 'An administrator made one-time passwords to hand out' },
  write: ({ by, quizId, count, at, publicUrl, timeZone }) => [
    `${by} made one-time passwords for ${count === 1 ? '1 person' : `${count} people`} of an assessment at ${publicUrl} and has seen them, on ${momentText(at, timeZone)}.`,
    `The audit log records it with assessment ${quizId}. If you did not expect this, ask that administrator and resend the invitations, which replaces the one-time passwords.`,
  ],
});
