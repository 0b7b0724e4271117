import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { ADDRESS, mail } from './mail.ts';

/** A link to set a new password, for an administrator who asked for one. */
export const resetLink = mail({
  kind: 'reset_link',
  to: 'administrator',
  params: { publicUrl: ADDRESS, minutes: z.number() },
  secret: 'link',
  subjects: {
    standard: () => t(/* asks someone to do it */ 'mail.resetLink.subject', 'Set a new password'),
  },
  write: ({ publicUrl, minutes }, _link: string) => [
    t(
      'mail.resetLink.why',
      'Someone requested a new password for your administrator account at {publicUrl}. If this was not you, ignore this email. Your password does not change.',
      { publicUrl },
    ),
    t(
      /* a link follows */ 'mail.resetLink.how',
      '{minutes, plural, one {To set a new password, open this link within # minute. It works once.} other {To set a new password, open this link within # minutes. It works once.}}',
      { minutes },
    ),
  ],
});
