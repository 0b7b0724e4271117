/** Advice about a test message, by the stage at which it ended. */
export const SMTP_ADVICE = {
  done: 'The mail server accepted the message.',
  settings:
    'This mail server is not allowed. If it is yours, ask who runs this server to add it to SMTP_ALLOWED_HOSTS.',
  name: 'The host name was not found. Check its spelling.',
  connection:
    'No connection. Check host and port (usually 587 or 465), and any firewall in between.',
  silent: 'The mail server did not respond in time. Check the port (usually 587 or 465).',
  unencrypted:
    'The mail server offers no encrypted connection on this port. Check the port (usually 587 or 465).',
  certificate: 'The certificate of the mail server is not valid for this host name.',
  greeting:
    'The mail server refused the name by which it was greeted (EHLO): the host of the public address. Enter a public address with a full name, such as exams.example.org, or ask your provider which names it accepts.',
  sign_in: 'The mail server refused the user name or password.',
  sender: 'The mail server does not let this user send from this address.',
  recipient: 'The mail server does not accept mail for this recipient.',
  message: 'The mail server did not accept the message.',
  limit: 'The mail server takes no more messages from this account just now.',
} as const;
