import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import {
  InvitationVariables,
  type RenderedMessage,
  renderInvitation,
} from '../../mail/invitation-message.ts';
import { ReceiptVariables, renderReceipt } from '../../mail/receipt-message.ts';
import { unsealOrNull } from '../../security/sealing.ts';
import { listAnswersOf } from '../answers/queries.ts';
import { recordAudit } from '../audit/queries.ts';
import { findParticipant } from '../participants/queries.ts';
import { makeReceipt } from '../receipts/make-receipt.ts';
import { findSmtpSettings } from '../smtp-settings/queries.ts';
import { findMessage, type OutboxRow } from './queries.ts';

/**
 * A waiting message as it will be sent, for the administrator of a system without a mail server.
 * Each view is audited; with a mail server configured nobody sees a code but its recipient.
 *
 * Throws NOT_FOUND, MESSAGE_SEALED, MESSAGE_GONE.
 */
export async function readMessage(ctx: AppContext, adminId: string, id: string, now: Date) {
  if ((await findSmtpSettings(ctx.db))?.isActive) throw new AppError('MESSAGE_SEALED');
  const row = await findMessage(ctx.db, id);
  if (!row) throw new AppError('NOT_FOUND');
  const message = await openMessage(ctx, row);
  if (!message) throw new AppError('MESSAGE_GONE', { message: whyGone(row) });
  await recordAudit(ctx.db, {
    adminId,
    action: 'outbox.message_read',
    subject: { type: 'outbox_message', id },
    at: now,
  });
  return { id: row.id, recipient: row.recipient, ...message };
}

/** Renders a message as it is sent, or `undefined` once what it needs is gone. */
export async function openMessage(
  ctx: Pick<AppContext, 'db' | 'keys' | 'papers'>,
  row: OutboxRow,
): Promise<RenderedMessage | undefined> {
  if (row.kind === 'receipt') {
    const attempt = row.participantId && (await findParticipant(ctx.db, row.participantId));
    if (!attempt) return undefined;
    const receipt = await makeReceipt(ctx, attempt, await listAnswersOf(ctx.db, [attempt.id]));
    return renderReceipt(ReceiptVariables.parse(row.variables), receipt);
  }
  if (row.sealedCode === null) return undefined;
  const code = unsealOrNull(ctx.keys.sealing, row.sealedCode, `outbox/${row.id}`);
  if (code === null) return undefined;
  return renderInvitation(InvitationVariables.parse(row.variables), code);
}

/** Why `openMessage` had nothing to give. */
export function whyGone({ sealedCode }: OutboxRow): string {
  return sealedCode === null
    ? 'What this message should bring is gone'
    : 'Its one-time password cannot be read with the SECRET_KEY of this installation. Send a new one';
}
