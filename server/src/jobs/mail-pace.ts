import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../app-context.ts';
import { inTransaction } from '../db/database.ts';
import { claimDueMessages, type OutboxRow } from '../db/queries/outbox.ts';
import { countTaken, hasQueuedSince, putSendingPace } from '../db/queries/sending-pace.ts';
import {
  findSmtpSettings,
  lockSmtpSettings,
  type SmtpSettingsRow,
} from '../db/queries/smtp-settings.ts';
import { endPause } from '../features/invitations/smtp-settings/end-pause.ts';
import {
  isUnlimited,
  newEndsPauseSince,
  nextPortion,
  paceAfterClaim,
  paceAfterFault,
  WINDOW_MS,
} from '../mail/sending-pace.ts';
import type { DeliveryOutcome } from '../mail/smtp-transport.ts';

/** Longer than any attempt can take (connect, greeting and socket timeouts of the transport). */
const CLAIM_MS = 120_000;

export interface Claim {
  rows: OutboxRow[];
  /** One message after a pause, to find out whether the account is free again. */
  isProbe: boolean;
}

const NOTHING: Claim = { rows: [], isProbe: false };

/** Claims as many due messages as the account may send now; all processes share its pace. */
export async function claimByPace(ctx: BaseContext, settings: SmtpSettingsRow): Promise<Claim> {
  const now = ctx.clock.now();
  const claimedUntil = new Date(now.getTime() + CLAIM_MS);
  if (isUnlimited(settings)) {
    const { parallelDeliveries: most } = MAIL_LIMITS;
    return { rows: await claimDueMessages(ctx.db, most, now, claimedUntil), isProbe: false };
  }
  return inTransaction(ctx.db, async (tx) => {
    // Without it two processes would both take the next place, or both probe.
    await lockSmtpSettings(tx);
    const current = await findSmtpSettings(tx);
    if (!current || !areSame(current, settings)) return NOTHING;
    const taken = await countTaken(tx, windowBefore(now));
    // What paused the queue may concern one message alone: a new one finds out at once.
    const since = newEndsPauseSince(current);
    const hasNew = since !== null && (await hasQueuedSince(tx, since, now));
    const pace = hasNew ? { ...current, nextSendAt: now } : current;
    const { most, isProbe } = nextPortion(pace, { now, taken });
    if (most === 0) return NOTHING;
    const untriedFirst = isProbe;
    const rows = await claimDueMessages(tx, most, now, claimedUntil, { untriedFirst });
    if (rows.length > 0) {
      const facts = { now, probeUntil: claimedUntil, random: Math.random() };
      await putSendingPace(tx, paceAfterClaim(current, rows.length, facts));
    }
    return { rows, isProbe };
  });
}

/** Stores what the outcomes of a claim say about the account: a pause begins, grows or ends. */
export async function storePace(
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
      ctx.log.warn({ fault: fault.kind, nextSendAt, perMinute }, 'mail is paused');
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
