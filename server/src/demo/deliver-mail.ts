import type { Tx } from '../db/database.ts';
import { claimDueMessages, type OutboxRow, settleMessage } from '../features/outbox/queries.ts';

const CLAIM_MS = 120_000;
const REFUSED_EVERY = 26;
/** What a mail server says about a mailbox that is not there (RFC 5321, RFC 3463). */
const REFUSAL = '550 5.1.1 The mailbox of this recipient does not exist';
const NO_ANSWER = 'The connection broke before the mail server confirmed the message';

/** Hands over what is due, but for the odd address that no longer exists; the way the job does it. */
export async function deliverMost(tx: Tx, at: Date): Promise<void> {
  const due = await claim(tx, 1_000, at);
  for (const [i, message] of due.entries()) {
    const later = new Date(at.getTime() + 700 + 430 * i);
    const refused = i % REFUSED_EVERY === REFUSED_EVERY - 3;
    await settleMessage(tx, message.id, {
      state: refused ? 'failed' : 'sent',
      lastError: refused ? REFUSAL : null,
      nextAttemptAt: null,
      sealedCode: null,
      ...(refused ? {} : { sentAt: later }),
    });
  }
}

/** One message may have arrived or not: it waits for another try with the same code. */
export async function doubtOne(tx: Tx, now: Date): Promise<void> {
  for (const message of await claim(tx, 1, now)) {
    await settleMessage(tx, message.id, {
      state: 'uncertain',
      lastError: NO_ANSWER,
      nextAttemptAt: now,
    });
  }
}

/** In the order of addresses: messages of one moment have no other that is always the same. */
async function claim(tx: Tx, most: number, at: Date): Promise<OutboxRow[]> {
  const rows = await claimDueMessages(tx, most, at, new Date(at.getTime() + CLAIM_MS));
  return rows.sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
}
