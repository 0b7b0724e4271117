import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findMessage, hastenMessages, type OutboxRow } from '../../../db/queries/outbox.ts';
import { hastenProbe } from '../../../db/queries/sending-pace.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { AppError } from '../../../runtime/app-error.ts';

/**
 * Makes a waiting message due, so that it is tried early. One being sent is not changed. Throws
 * NOT_FOUND, SMTP_NOT_CONFIGURED, MESSAGE_NOT_WAITING.
 */
export async function sendNow(ctx: AppContext, id: string, now: Date): Promise<OutboxRow> {
  const settings = await findSmtpSettings(ctx.db);
  return inTransaction(ctx.db, async (tx, afterCommit) => {
    const row = await findMessage(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    if (row.state === 'sent' || row.state === 'failed') throw new AppError('MESSAGE_NOT_WAITING');
    if (!settings?.isActive) throw new AppError('SMTP_NOT_CONFIGURED');
    // Someone who asks may know that the provider lifted its limit: a pause ends with a try.
    await hastenProbe(tx, now);
    await hastenMessages(tx, now, id);
    afterCommit(() => ctx.wakeMail());
    return (await findMessage(tx, id)) ?? row;
  });
}
