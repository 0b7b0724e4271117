import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import {
  claimDueMessages,
  type OutboxRow,
  releaseAbandonedMessages,
  settleMessage,
} from '../features/outbox/queries.ts';
import { openMessage } from '../features/outbox/read-message.ts';
import { mailServerOf } from '../features/smtp-settings/change-smtp-settings.ts';
import { findSmtpSettings } from '../features/smtp-settings/queries.ts';
import { type DeliveryOutcome, deliver, type MailServer } from '../mail/smtp-transport.ts';

/** Longer than any try can take (connect, greeting, socket time-outs of the transport). */
const CLAIM_MS = 120_000;

/**
 * Delivers what is due, five at a time, until nothing is due any more. Without a mail server every
 * message waits. Returns how many tries were made.
 *
 * @param clock asked anew for each round, because a round of slow servers takes minutes
 */
export async function deliverMail(ctx: AppContext): Promise<number> {
  await releaseAbandonedMessages(ctx.db, ctx.clock.now());
  let tries = 0;
  for (;;) {
    const settings = await findSmtpSettings(ctx.db);
    if (!settings?.isActive) return tries;
    const server = mailServerOf(ctx, settings);
    const now = ctx.clock.now();
    const claimed = await claimDueMessages(
      ctx.db,
      MAIL_LIMITS.parallelDeliveries,
      now,
      new Date(now.getTime() + CLAIM_MS),
    );
    if (claimed.length === 0) return tries;
    tries += claimed.length;
    await Promise.all(claimed.map((row) => deliverOne(ctx, server, row)));
  }
}

async function deliverOne(ctx: AppContext, server: MailServer, row: OutboxRow): Promise<void> {
  const message = await openMessage(ctx, row);
  const outcome: DeliveryOutcome = message
    ? await deliver(
        server,
        ctx.config.smtpAllowedHosts,
        { to: row.recipient, messageId: row.messageId, date: row.createdAt },
        message,
      )
    : { kind: 'refused', error: 'What this message should bring is gone' };
  await settle(ctx, row, outcome);
}

async function settle(ctx: AppContext, row: OutboxRow, outcome: DeliveryOutcome): Promise<void> {
  const now = ctx.clock.now();
  if (outcome.kind === 'sent') {
    const sent = {
      state: 'sent',
      lastError: null,
      nextAttemptAt: null,
      sentAt: now,
      sealedCode: null,
    };
    await settleMessage(ctx.db, row.id, { ...sent, sealedCode: null });
    ctx.log.info({ message: row.id, attempts: row.attempts }, 'mail handed over');
    return;
  }
  const givenUp = now.getTime() - row.createdAt.getTime() > MAIL_LIMITS.giveUpAfterMs;
  if (outcome.kind === 'refused' || givenUp) {
    const lastError = givenUp
      ? `Given up after 24 hours. Last answer: ${outcome.error}`
      : outcome.error;
    await settleMessage(ctx.db, row.id, {
      state: 'failed',
      lastError,
      nextAttemptAt: null,
      sealedCode: null,
    });
    ctx.log.warn({ message: row.id, attempts: row.attempts }, 'mail refused for good');
    return;
  }
  await settleMessage(ctx.db, row.id, {
    state: outcome.kind === 'uncertain' ? 'uncertain' : 'queued',
    lastError: outcome.error,
    nextAttemptAt: new Date(now.getTime() + retryDelayMs(row.attempts)),
  });
  ctx.log.warn(
    { message: row.id, attempts: row.attempts, outcome: outcome.kind },
    'mail will be tried again',
  );
}

/** 5 s, 10 s, 20 s … 15 min after the first, second, third … try. */
export function retryDelayMs(attempts: number): number {
  return Math.min(MAIL_LIMITS.retryFirstMs * 2 ** (attempts - 1), MAIL_LIMITS.retryLongestMs);
}
