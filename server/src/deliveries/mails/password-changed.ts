import { ADDRESS, mail } from './mail.ts';

/** To an administrator whose password was changed with a link. */
export const passwordChanged = mail({
  kind: 'password_changed',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subject: { standard: 'Your password was changed' },
  write: ({ publicUrl }) => [
    `The password of your administrator account at ${publicUrl} was changed with a link from an email. You have been signed out everywhere.`,
    'If this was not you, tell the other administrators and the operator immediately.',
  ],
});
