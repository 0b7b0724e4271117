import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { InvitationVariables, renderInvitation } from '../../mail/invitation-message.ts';
import { unseal } from '../../security/sealing.ts';
import { recordAudit } from '../audit/queries.ts';
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
  const message = openMessage(ctx, row);
  if (!message) throw new AppError('MESSAGE_GONE');
  await recordAudit(ctx.db, {
    adminId,
    action: 'outbox.message_read',
    subject: { type: 'outbox_message', id },
    at: now,
  });
  return { id: row.id, recipient: row.recipient, ...message };
}

/** Renders a message with its code, or `undefined` once the code was wiped. */
export function openMessage(ctx: Pick<AppContext, 'keys'>, row: OutboxRow) {
  if (row.sealedCode === null) return undefined;
  const code = unseal(ctx.keys.sealing, row.sealedCode, `outbox/${row.id}`);
  return renderInvitation(InvitationVariables.parse(row.variables), code);
}
