import { inOrder } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { secondText } from '@invigil/core/texts/moments';
import { ADDRESS, INSTANT, mail, TIME_ZONE, TOKEN } from './mail.ts';

/**
 * To the others whose business it is, when an administrator opened a message. Without its recipient's address:
 * this mail may outlive their erasure.
 */
export const messageRevealed = mail({
  kind: 'message_revealed',
  to: 'administrator',
  params: { by: ADDRESS, messageId: TOKEN, at: INSTANT, publicUrl: ADDRESS, timeZone: TIME_ZONE },
  subjects: {
    standard: () =>
      t('mail.messageRevealed.subject', 'An administrator read a message in the outbox'),
  },
  write: ({ by, messageId, at, publicUrl, timeZone }) => [
    t(
      /* {by} is an administrator’s address, {moment} a date with the time */ 'mail.messageRevealed.who',
      '{by} opened a message in the outbox at {publicUrl} and may have read its one-time password, on {moment}.',
      { by, publicUrl, moment: secondText(at, timeZone) },
    ),
    t(
      /* {messageId} is an id */ 'mail.messageRevealed.whatToDo',
      'The audit log records it as message {messageId}. If you did not expect this, ask that administrator and resend the invitation, which replaces the one-time password.',
      { messageId: inOrder(messageId) },
    ),
  ],
});
