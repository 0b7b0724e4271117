import { t } from '@invigil/core/texts/i18n';
import { ADDRESS, mail } from './mail.ts';

/** The message of "Send test message", which explains itself to its recipient. It is sent at once, not queued. */
export const testMessage = mail({
  kind: 'test',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subjects: {
    standard: () => t(/* Invigil is a name */ 'mail.test.subject', 'Invigil test message'),
  },
  write: ({ publicUrl }) => [
    t('mail.test.whatItIs', 'This is a test message from Invigil.'),
    t(
      /* {publicUrl} stands in a line of its own; “this address” is the reader’s */ 'mail.test.why',
      'Someone tested the mail settings of the installation at\n{publicUrl}\nand entered this address as the recipient. Invitations will be sent the same way.',
      { publicUrl },
    ),
  ],
});
