import { roleLines } from '@invigil/core/texts/roles';
import { ADDRESS, GIVEN_ROLES, mail } from './mail.ts';

/** To someone whose roles another administrator changed. */
export const rolesChanged = mail({
  kind: 'roles_changed',
  to: 'administrator',
  params: { publicUrl: ADDRESS, ...GIVEN_ROLES },
  subject: { standard: 'Your roles were changed' },
  write: ({ publicUrl, by, grants }) => [
    `${by === '' ? 'Another administrator' : by} has changed what you may do at ${publicUrl}.`,
    ...(by === ''
      ? []
      : [`Your roles now: ${grants.length === 0 ? 'none' : roleLines(grants).join(', ')}.`]),
    'Sign in and open your account to see your roles.',
  ],
});
