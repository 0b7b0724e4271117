import { z } from 'zod';
import { ADDRESS, mail } from './mail.ts';

/** A link to set the first password, for an administrator whom a colleague added. */
export const setUpLink = mail({
  kind: 'set_up_link',
  to: 'administrator',
  params: { publicUrl: ADDRESS, days: z.number() },
  secret: 'link',
  subject: { standard: 'Your administrator account' },
  write: ({ publicUrl, days }, _link: string) => [
    `A colleague has made an administrator account for you at ${publicUrl}.`,
    `To set your password, open this link within ${days} days. It works once.`,
  ],
});
