import { setTimeout as delay } from 'node:timers/promises';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import {
  claimDueMessages,
  type OutboxRow,
  releaseAbandonedMessages,
  settleMessage,
} from '../db/queries/outbox.ts';
import { findSmtpSettings } from '../db/queries/smtp-settings.ts';
import { openMessage, whyGone } from '../features/invitations/outbox/read-message.ts';
import {
  mailServerOf,
  PASSWORD_UNREADABLE,
} from '../features/invitations/smtp-settings/change-smtp-settings.ts';
import { type DeliveryOutcome, deliver, type MailServer } from '../mail/smtp-transport.ts';

const STOPPED: DeliveryOutcome = { kind: 'stopped' };
const NOT_PREPARED = 'This message could not be prepared; the log of the server says why';

/** Longer than any try can take (connect, greeting, socket time-outs of the transport). */
const CLAIM_MS = 120_000;
/**
 * When the round shall stop, tries that are open get so long to end by themselves; then their
 * connection is dropped. Less than a stopping process has for all of its end.
 */
const LET_END_MS = 2_000;
/** And how a try ended is written at the latest so long after that. */
const LET_WRITE_MS = 2_000;
const WRITE_AGAIN_MS = 500;

/**
 * Delivers what is due, five at a time, until nothing is due any more. Without a mail server every
 * message waits. Returns how many tries were made.
 *
 * @param stop the process ends, or another one leads: no further try begins, open ones end soon
 */
export async function deliverMail(
  ctx: AppContext,
  stop: AbortSignal = new AbortController().signal,
): Promise<number> {
  const cut = new AbortController();
  const cutLater = () => {
    setTimeout(() => cut.abort(), LET_END_MS).unref();
  };
  stop.addEventListener('abort', cutLater, { once: true });
  try {
    return await deliverDue(ctx, { stop, cut: cut.signal });
  } finally {
    stop.removeEventListener('abort', cutLater);
  }
}

/** `stop`: nothing new begins. `cut`: what is open is dropped. */
interface Signals {
  stop: AbortSignal;
  cut: AbortSignal;
}

async function deliverDue(ctx: AppContext, signals: Signals): Promise<number> {
  await releaseAbandonedMessages(ctx.db, ctx.clock.now());
  let tries = 0;
  while (!signals.stop.aborted) {
    // Asked anew each time: with slow servers a round takes minutes.
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
    await Promise.all(claimed.map((row) => deliverOne(ctx, server, row, signals)));
  }
  return tries;
}

/**
 * Never throws: one message must not hold up the others.
 *
 * @param server `null`: its password cannot be opened
 */
async function deliverOne(
  ctx: AppContext,
  server: MailServer | null,
  row: OutboxRow,
  signals: Signals,
): Promise<void> {
  try {
    const outcome = await tryOnce(ctx, server, row, signals).catch((error: unknown) => {
      ctx.log.error({ err: error, message: row.id }, 'mail could not be prepared');
      return { kind: 'temporary', error: NOT_PREPARED } as const;
    });
    await settleSurely(ctx, row, outcome, signals);
  } catch (error) {
    // Its claim runs out, and it is taken up as one whose sender died.
    ctx.log.error({ err: error, message: row.id }, 'how a delivery ended could not be written');
  }
}

async function tryOnce(
  ctx: AppContext,
  server: MailServer | null,
  row: OutboxRow,
  { stop, cut }: Signals,
): Promise<DeliveryOutcome> {
  if (stop.aborted) return STOPPED;
  const message = await openMessage(ctx, row);
  if (!message) return { kind: 'refused', error: whyGone(row) };
  // The administrator's to mend; the message itself is well.
  if (!server) return { kind: 'temporary', error: PASSWORD_UNREADABLE };
  const { recipient: to, messageId, createdAt: date } = row;
  if (stop.aborted) return STOPPED;
  return deliver(server, ctx.config.smtpAllowedHosts, { to, messageId, date }, message, cut);
}

/**
 * A message that was taken and is not known as sent would be sent again: while the database is away
 * this is tried until the claim ends, for a round that shall stop a little less long.
 */
async function settleSurely(
  ctx: AppContext,
  row: OutboxRow,
  outcome: DeliveryOutcome,
  { cut }: Signals,
): Promise<void> {
  let cutAt: number | undefined;
  for (;;) {
    try {
      return await settle(ctx, row, outcome);
    } catch (error) {
      if (cut.aborted) cutAt ??= performance.now();
      const isLate = cutAt !== undefined && performance.now() - cutAt > LET_WRITE_MS;
      const isClaimed = row.claimedUntil !== null && ctx.clock.now() < row.claimedUntil;
      if (!isDatabaseAway(error) || isLate || !isClaimed) throw error;
    }
    await delay(WRITE_AGAIN_MS);
  }
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
  if (outcome.kind === 'stopped') {
    const lastError = 'The server was stopped before this message was handed over';
    await settleMessage(ctx.db, row.id, { state: 'queued', lastError, nextAttemptAt: now });
    ctx.log.info({ message: row.id }, 'mail goes out after the next start');
    return;
  }
  // From the first try on: it may have waited longer than that for a mail server to be there.
  const since = (row.firstTriedAt ?? now).getTime();
  const givenUp = now.getTime() - since > MAIL_LIMITS.giveUpAfterMs;
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
