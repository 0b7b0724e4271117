import { t } from './i18n.ts';

/** Advice about a test message, by the stage at which it ended. */
export const SMTP_ADVICE = {
  done: () => t('smtpAdvice.done', 'The mail server accepted the message.'),
  settings: () =>
    t(
      'smtpAdvice.settings',
      'This mail server is not allowed. If it is yours, ask who runs this server to add it to SMTP_ALLOWED_HOSTS.',
    ),
  name: () => t('smtpAdvice.name', 'The host name was not found. Check its spelling.'),
  connection: () =>
    t(
      'smtpAdvice.connection',
      'No connection. Check host and port (usually 587 or 465), and any firewall in between.',
    ),
  silent: () =>
    t(
      'smtpAdvice.silent',
      'The mail server did not respond in time. Check the port (usually 587 or 465).',
    ),
  unencrypted: () =>
    t(
      'smtpAdvice.unencrypted',
      'The mail server offers no encrypted connection on this port. Check the port (usually 587 or 465).',
    ),
  certificate: () =>
    t(
      'smtpAdvice.certificate',
      'The certificate of the mail server is not valid for this host name.',
    ),
  greeting: () =>
    t(
      'smtpAdvice.greeting',
      'The mail server refused the name by which it was greeted (EHLO): the host of the public address. Enter a public address with a full name, such as exams.example.org, or ask your provider which names it accepts.',
    ),
  sign_in: () => t('smtpAdvice.signIn', 'The mail server refused the user name or password.'),
  sender: () =>
    t('smtpAdvice.sender', 'The mail server does not let this user send from this address.'),
  recipient: () =>
    t('smtpAdvice.recipient', 'The mail server does not accept mail for this recipient.'),
  message: () => t('smtpAdvice.message', 'The mail server did not accept the message.'),
  limit: () =>
    t('smtpAdvice.limit', 'The mail server takes no more messages from this account just now.'),
};
