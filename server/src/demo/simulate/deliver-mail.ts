import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { Tx } from '../../db/database.ts';
import { claimDueMessages, type OutboxRow, settleMessage } from '../../db/queries/outbox.ts';

const CLAIM_MS = 120_000;
/** The response of a mail server for an unknown mailbox (RFC 5321, RFC 3463). */
const REFUSAL = '550 5.1.1 The mailbox of this recipient does not exist';
const NO_ANSWER = 'The connection was lost before the mail server confirmed the message';

/** Marks due messages as the mail job would: sent, or failed for addresses that no longer exist. */
export async function settleDue(tx: Tx, unreachable: ReadonlySet<string>, at: Date): Promise<void> {
  const due = await claim(tx, 1_000, at);
  for (const [i, message] of due.entries()) {
    const later = new Date(at.getTime() + 700 + 430 * i);
    const refused = unreachable.has(message.recipient);
    await settleMessage(tx, message.id, {
      state: refused ? 'failed' : 'sent',
      lastError: refused ? REFUSAL : null,
      nextAttemptAt: null,
      sealedCode: null,
      ...(refused ? {} : { sentAt: later }),
    });
  }
}

/** Marks due messages as uncertain: they are retried with the same code. */
export async function markUncertain(tx: Tx, at: Date): Promise<void> {
  for (const message of await claim(tx, 1_000, at)) {
    await settleMessage(tx, message.id, {
      state: 'uncertain',
      lastError: NO_ANSWER,
      nextAttemptAt: new Date(at.getTime() + MAIL_LIMITS.retryFirstMs),
    });
  }
}

/** In the order of addresses, the only stable one for messages of the same moment. */
async function claim(tx: Tx, limit: number, at: Date): Promise<OutboxRow[]> {
  const rows = await claimDueMessages(tx, limit, at, new Date(at.getTime() + CLAIM_MS));
  return rows.sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
}
