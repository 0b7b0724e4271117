import { ADDRESS, mail } from './mail.ts';

/** To someone whose roles another administrator changed. */
export const rolesChanged = mail({
  kind: 'roles_changed',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subject: { standard: 'Your roles were changed' },
  write: ({ publicUrl }) => [
    `Another administrator has changed what you may do at ${publicUrl}.`,
    'Sign in and open your account to see your roles.',
  ],
});
