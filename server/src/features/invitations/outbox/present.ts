import { OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import type { OutboxRow } from '../../../db/queries/outbox.ts';

/** Without the message's content. */
export function presentOutboxMessage(row: OutboxRow): OutboxMessage {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    state: OutboxMessage.shape.state.parse(row.state),
    attempts: row.attempts,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}
