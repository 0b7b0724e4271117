import { setTimeout as delay } from 'node:timers/promises';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { AttemptContext, BaseContext } from '../app-context.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import {
  claimDueMessages,
  type OutboxRow,
  releaseAbandonedMessages,
  settleMessage,
} from '../db/queries/outbox.ts';
import { countTaken, hasQueuedSince, putSendingPace } from '../db/queries/sending-pace.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  type SmtpSettingsRow,
} from '../db/queries/smtp-settings.ts';
import { inTransaction } from '../db/transaction.ts';
import { LINK_KINDS } from '../deliveries/mails.ts';
import {
  isUnlimited,
  newEndsPauseSince,
  nextPortion,
  paceAfterClaim,
  paceAfterFault,
  WINDOW_MS,
} from '../deliveries/sending-pace.ts';
import {
  type DeliveryOutcome,
  deliver,
  type MailServer,
  ofAccount,
  senderOf,
} from '../deliveries/smtp-transport.ts';
import { storeCurrentTimes } from '../features/invitations/current-times.ts';
import { openMessage, whyGone, whyNotSent } from '../features/invitations/outbox.ts';
import { endPause, mailServerOf, whyNoMailServer } from '../features/invitations/smtp-settings.ts';
import { AppError } from '../runtime/app-error.ts';
import { requireInstitution } from '../trust/institution.ts';

const STOPPED: DeliveryOutcome = { kind: 'stopped' };

/**
 * At shutdown, deliveries in progress have this long to finish; then their connections are closed.
 * Less than the whole shutdown may take.
 */
const FINISH_MS = 2_000;
/** After that, their outcome must be stored within this time. */
const STORE_MS = 2_000;
const STORE_RETRY_MS = 500;

/**
 * Delivers due messages, five at a time, until none is due; fewer where the provider limits this account,
 * and none while it refuses the account as a whole (`deliveries/sending-pace.ts`). Without a mail server every
 * message waits. Returns the number of delivery attempts.
 *
 * @param stop the process shuts down or is no longer leader: no further delivery begins, and those
 *   in progress end soon
 */
export async function deliverMail(
  ctx: AttemptContext,
  stop: AbortSignal = new AbortController().signal,
): Promise<number> {
  const cut = new AbortController();
  const cutLater = () => {
    setTimeout(() => cut.abort(), FINISH_MS).unref();
  };
  stop.addEventListener('abort', cutLater, { once: true });
  try {
    return await deliverDue(ctx, { stop, cut: cut.signal });
  } finally {
    stop.removeEventListener('abort', cutLater);
  }
}

/** `stop`: no new delivery begins. `cut`: open connections are closed. */
interface Signals {
  stop: AbortSignal;
  cut: AbortSignal;
}

async function deliverDue(ctx: AttemptContext, signals: Signals): Promise<number> {
  await releaseAbandonedMessages(ctx.db, ctx.clock.now());
  let attempts = 0;
  while (!signals.stop.aborted) {
    // Read each time: with a slow server this loop takes minutes.
    const settings = await findSmtpSettings(ctx.db);
    if (!settings?.isActive) return attempts;
    const server = await serverOf(ctx, settings);
    const claim = await claimByPace(ctx, settings);
    if (claim.rows.length === 0) return attempts;
    attempts += claim.rows.length;
    const rows = await inTransaction(ctx.db, (tx) =>
      storeCurrentTimes(tx, ctx, claim.rows, ctx.clock.now()),
    );
    const outcomes = await Promise.all(
      rows.map((row) => deliverOne(ctx, server, row, claim, signals)),
    );
    await storePace(ctx, settings, claim, outcomes);
  }
  return attempts;
}

/** The server and the sender's name, or the fault that they cannot be relied on. */
async function serverOf(
  ctx: AttemptContext,
  settings: SmtpSettingsRow,
): Promise<MailServer | DeliveryOutcome> {
  const stored = mailServerOf(ctx, settings);
  if (!stored) return ofAccount({ code: whyNoMailServer(ctx, settings) });
  const institution = await requireInstitution(ctx, ctx.db).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  return institution instanceof AppError
    ? ofAccount({ code: 'institution_changed' })
    : { ...stored, ...senderOf(institution) };
}

/**
 * Never throws, so that one message does not hold up the others. Returns the outcome.
 *
 * @param server the outcome of every message where the settings cannot be relied on
 */
async function deliverOne(
  ctx: AttemptContext,
  server: MailServer | DeliveryOutcome,
  row: OutboxRow,
  claim: Claim,
  signals: Signals,
): Promise<DeliveryOutcome> {
  let outcome: DeliveryOutcome = STOPPED;
  try {
    outcome = await tryOnce(ctx, server, row, signals).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'CHANGED_OUTSIDE') {
        // The attempt of a receipt is the only source of a message that is read here.
        return { kind: 'refused', problem: { code: 'attempt_changed' } } as const;
      }
      ctx.log.error({ err: error, message: row.id }, 'mail could not be prepared');
      return { kind: 'temporary', problem: { code: 'not_prepared' } } as const;
    });
    await settleWithRetry(ctx, row, outcome, claim, signals);
  } catch (error) {
    // The claim of the message expires; it is then released like that of a process that died.
    ctx.log.error({ err: error, message: row.id }, 'the outcome of a delivery could not be stored');
  }
  return outcome;
}

async function tryOnce(
  ctx: AttemptContext,
  server: MailServer | DeliveryOutcome,
  row: OutboxRow,
  { stop, cut }: Signals,
): Promise<DeliveryOutcome> {
  if (stop.aborted) return STOPPED;
  // An administrator can correct the settings. Until then no message is judged: where nothing could be sealed,
  // none has a seal.
  if ('kind' in server) return server;
  const code = await whyNotSent(ctx, row);
  if (code !== null) return { kind: 'refused', problem: { code } };
  const message = await openMessage(ctx, row);
  if (!message) return { kind: 'refused', problem: { code: whyGone(row) } };
  const { recipient: to, messageId, createdAt: date } = row;
  if (stop.aborted) return STOPPED;
  return deliver(server, ctx.config.smtpAllowedHosts, { to, messageId, date }, message, cut);
}

/**
 * A message that was delivered but is not stored as sent would be sent again. So while the database
 * is unavailable this retries until the claim expires, and at shutdown for a shorter time.
 */
async function settleWithRetry(
  ctx: BaseContext,
  row: OutboxRow,
  outcome: DeliveryOutcome,
  claim: Claim,
  { cut }: Signals,
): Promise<void> {
  let cutAt: number | undefined;
  for (;;) {
    try {
      return await settle(ctx, row, outcome, claim);
    } catch (error) {
      if (cut.aborted) cutAt ??= performance.now();
      const isLate = cutAt !== undefined && performance.now() - cutAt > STORE_MS;
      const isClaimed = row.claimedUntil !== null && ctx.clock.now() < row.claimedUntil;
      if (!isDatabaseAway(error) || isLate || !isClaimed) throw error;
    }
    await delay(STORE_RETRY_MS);
  }
}

async function settle(
  ctx: BaseContext,
  row: OutboxRow,
  outcome: DeliveryOutcome,
  { isProbe }: Claim,
): Promise<void> {
  const now = ctx.clock.now();
  if (outcome.kind === 'sent') {
    const sent = {
      state: 'sent',
      problem: null,
      nextAttemptAt: null,
      sentAt: now,
      sealedCode: null,
    };
    await settleMessage(ctx.db, row.id, { ...sent, sealedCode: null });
    ctx.log.info({ message: row.id, attempts: row.attempts }, 'mail sent');
    return;
  }
  if (outcome.kind === 'stopped') {
    const problem = { code: 'stopped' } as const;
    await settleMessage(ctx.db, row.id, { state: 'queued', problem, nextAttemptAt: now });
    ctx.log.info({ message: row.id }, 'mail stays queued until the next start');
    return;
  }
  if (outcome.kind === 'temporary' && outcome.fault) {
    // Not an attempt on this recipient: neither counted nor timed.
    await settleMessage(ctx.db, row.id, {
      state: 'queued',
      problem: outcome.problem,
      nextAttemptAt: now,
      attempts: row.attempts - 1,
      firstTriedAt: row.attempts > 1 ? row.firstTriedAt : null,
    });
    return;
  }
  // Counted from the first attempt: before, it may have waited longer for a mail server. At the end of a
  // pause that time is not yet subtracted.
  const since = (row.firstTriedAt ?? now).getTime();
  const isExpired = !isProbe && now.getTime() - since > MAIL_LIMITS.giveUpAfterMs;
  if (outcome.kind === 'refused' || isExpired) {
    await settleMessage(ctx.db, row.id, {
      state: 'failed',
      problem: outcome.problem,
      nextAttemptAt: null,
      sealedCode: null,
    });
    ctx.log.warn({ message: row.id, attempts: row.attempts }, 'mail failed permanently');
    return;
  }
  await settleMessage(ctx.db, row.id, {
    state: outcome.kind === 'uncertain' ? 'uncertain' : 'queued',
    problem: outcome.problem,
    nextAttemptAt: new Date(now.getTime() + retryDelayMs(row.attempts)),
  });
  ctx.log.warn(
    { message: row.id, attempts: row.attempts, outcome: outcome.kind },
    'mail will be retried',
  );
}

/** 5 s, 10 s, 20 s … 15 min after the first, second, third … attempt. */
export function retryDelayMs(attempts: number): number {
  return Math.min(MAIL_LIMITS.retryFirstMs * 2 ** (attempts - 1), MAIL_LIMITS.retryLongestMs);
}

const HOW = { urgentKinds: LINK_KINDS };
/** Longer than any attempt can take (connect, greeting and socket timeouts of the transport). */
const CLAIM_MS = 120_000;

interface Claim {
  rows: OutboxRow[];
  /** One message after a pause, to find out whether the account is free again. */
  isProbe: boolean;
}

const NOTHING: Claim = { rows: [], isProbe: false };

/** Claims as many due messages as the account may send now; all processes share its pace. */
async function claimByPace(ctx: BaseContext, settings: SmtpSettingsRow): Promise<Claim> {
  const now = ctx.clock.now();
  const claimedUntil = new Date(now.getTime() + CLAIM_MS);
  if (isUnlimited(settings)) {
    const { parallelDeliveries: most } = MAIL_LIMITS;
    return { rows: await claimDueMessages(ctx.db, most, now, claimedUntil, HOW), isProbe: false };
  }
  return inTransaction(ctx.db, async (tx) => {
    // The lock keeps two processes from both taking the next place, or both probing.
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    if (!current || !areSame(current, settings)) return NOTHING;
    const taken = await countTaken(tx, windowBefore(now));
    // The cause of a pause may concern one message alone: a new message finds out at once.
    const since = newEndsPauseSince(current);
    const hasNew = since !== null && (await hasQueuedSince(tx, since, now));
    const pace = hasNew ? { ...current, nextSendAt: now } : current;
    const { most, isProbe } = nextPortion(pace, { now, taken });
    if (most === 0) return NOTHING;
    const untriedFirst = isProbe;
    const rows = await claimDueMessages(tx, most, now, claimedUntil, { ...HOW, untriedFirst });
    if (rows.length > 0) {
      const facts = { now, probeUntil: claimedUntil, random: Math.random() };
      await putSendingPace(tx, paceAfterClaim(current, rows.length, facts));
    }
    return { rows, isProbe };
  });
}

/** Stores what the outcomes of a claim say about the account: a pause begins, grows or ends. */
async function storePace(
  ctx: BaseContext,
  settings: SmtpSettingsRow,
  { isProbe }: Claim,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const fault = outcomes.flatMap((o) => (o.kind === 'temporary' && o.fault ? [o.fault] : []))[0];
  if (!fault && !isProbe) return;
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    // Corrected since then: what was refused says nothing about the new settings.
    if (!current || !areSame(current, settings)) return;
    if (fault) {
      const taken = await countTaken(tx, windowBefore(now));
      const facts = { now, taken, isProbe, random: Math.random() };
      const pace = paceAfterFault(current, fault, facts);
      await putSendingPace(tx, pace);
      const { nextSendAt, perMinute } = pace;
      ctx.log.warn({ fault: fault.code, nextSendAt, perMinute }, 'mail is paused');
    } else if (outcomes.every(({ kind }) => kind === 'stopped')) {
      await putSendingPace(tx, { ...current, nextSendAt: now });
    } else {
      await endPause(tx, current, now);
      ctx.log.info({ perMinute: current.perMinute }, 'mail is sent again');
    }
  });
}

function areSame(a: SmtpSettingsRow, b: SmtpSettingsRow): boolean {
  return a.isActive && a.updatedAt.getTime() === b.updatedAt.getTime();
}

function windowBefore(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}
