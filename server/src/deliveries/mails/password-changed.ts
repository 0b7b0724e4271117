import { t } from '@invigil/core/texts/i18n';
import { ADDRESS, mail } from './mail.ts';

/** To an administrator whose password was changed with a link. */
export const passwordChanged = mail({
  kind: 'password_changed',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subjects: { standard: () => t('mail.passwordChanged.subject', 'Your password was changed') },
  write: ({ publicUrl }) => [
    t(
      'mail.passwordChanged.how',
      'The password of your administrator account at {publicUrl} was changed with a link from an email. You have been signed out everywhere.',
      { publicUrl },
    ),
    t(
      'mail.passwordChanged.notYou',
      'If this was not you, tell the other administrators and the operator immediately.',
    ),
  ],
});
