import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { messageIdOf } from '../../../mail/message-id.ts';
import { receiptSubject } from '../../../mail/messages/receipt-message.ts';
import { insertReceiptMessages, listReceiptRecipients } from './queries.ts';

/**
 * Queues "we have your answers" in the outbox for attempts whose quiz asks for it.
 *
 * @param ended the end time, by attempt
 */
export async function queueReceipts(
  tx: Tx,
  ctx: Pick<BaseContext, 'config'>,
  ended: ReadonlyMap<string, Date>,
): Promise<void> {
  const recipients = await listReceiptRecipients(tx, [...ended.keys()]);
  if (recipients.length === 0) return;
  await insertReceiptMessages(
    tx,
    recipients.flatMap(({ participantId, invitationId, email, title }) => {
      const now = ended.get(participantId);
      if (!now) return [];
      const id = newId();
      return {
        id,
        kind: 'receipt',
        participantId,
        invitationId,
        recipient: email,
        subject: receiptSubject(title),
        variables: {
          title,
          timeZone: ctx.config.timeZone,
          verifyUrl: `${ctx.config.publicUrl}/receipt`,
        },
        messageId: messageIdOf(ctx.config.publicUrl, id),
        state: 'queued',
        attempts: 0,
        createdAt: now,
        nextAttemptAt: now,
      };
    }),
  );
}
