import { z } from 'zod';
import { ADDRESS, mail } from './mail.ts';

/** A link to set a new password, for an administrator who asked for one. */
export const resetLink = mail({
  kind: 'reset_link',
  to: 'administrator',
  params: { publicUrl: ADDRESS, minutes: z.number() },
  secret: 'link',
  subject: { standard: 'Set a new password' },
  write: ({ publicUrl, minutes }, _link: string) => [
    `Someone requested a new password for your administrator account at ${publicUrl}. If this was not you, ignore this email. Your password does not change.`,
    `To set a new password, open this link within ${minutes} minutes. It works once.`,
  ],
});
