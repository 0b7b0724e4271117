import { isolated } from '@invigil/core/domain/typed-text';
import { momentText } from '@invigil/core/texts/moments';
import { roleLines } from '@invigil/core/texts/roles';
import { z } from 'zod';
import { ADDRESS, GIVEN_ROLES, mail } from './mail.ts';

/** A link to set the first password, for an administrator whom a colleague added. */
export const setUpLink = mail({
  kind: 'set_up_link',
  to: 'administrator',
  params: { publicUrl: ADDRESS, days: z.number(), ...GIVEN_ROLES },
  secret: 'link',
  subject: {
    institution: 'You are invited to the assessments of {institution}',
    standard: 'Your administrator account',
  },
  write: ({ publicUrl, days, by, institution, grants, timeZone }, _link: string) => [
    by === ''
      ? `A colleague has made an administrator account for you at ${publicUrl}.`
      : `${by} invites you to the assessments ${institution ? `of ${isolated(institution)} ` : ''}at ${publicUrl}.`,
    ...(grants.length === 0 ? [] : [`Your part: ${roleLines(grants).join(', ')}.`]),
    ...grants.flatMap(({ opensAt }) =>
      opensAt ? [`It opens ${momentText(opensAt, timeZone)}.`] : [],
    ),
    `To set your password, open this link within ${days} days. It works once.`,
  ],
});
