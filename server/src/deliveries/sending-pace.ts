import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { PaceColumns } from '../db/queries/sending-pace.ts';
import { type AccountFault, isFaultOfMessage } from './account-fault.ts';

/**
 * How fast an account may send, learned from what its provider refuses: how many a minute, and until
 * when the queue waits. Stored beside the settings, so that all processes share it.
 */
export type SendingPace = PaceColumns;

/** The pace of an account that has refused nothing. */
export const UNLIMITED: SendingPace = {
  perMinute: null,
  perMinuteSince: null,
  nextSendAt: null,
  pausedAt: null,
  pauses: 0,
  fault: null,
  faultText: null,
};

/** Over which limits are counted. */
export const WINDOW_MS = 60_000;
/** A queue that ran dry does not catch up on more than this. */
const CATCH_UP_MS = 5_000;
/** One at a time, where connections are limited. */
const PER_MINUTE_IN_ONE_CONNECTION = 60;
const RAISE = 1.5;

/** Whether nothing limits this account. */
export function isUnlimited(pace: SendingPace): boolean {
  return pace.pausedAt === null && pace.perMinute === null;
}

/**
 * How many messages may be claimed now. After a pause one message is sent to find out whether the
 * account is free again (`isProbe`); until it is settled no other is claimed.
 *
 * @param taken how many the provider took within `WINDOW_MS`, with those being sent
 */
export function nextPortion(
  pace: SendingPace,
  { now, taken }: { now: Date; taken: number },
): { most: number; isProbe: boolean } {
  const isDue = pace.nextSendAt === null || pace.nextSendAt <= now;
  if (pace.pausedAt !== null) return { most: isDue ? 1 : 0, isProbe: true };
  if (pace.perMinute === null) return { most: MAIL_LIMITS.parallelDeliveries, isProbe: false };
  const { perMinute } = raised(pace, pace.perMinute, now);
  const lateMs = now.getTime() - fromOf(pace, now);
  const slots = isDue ? 1 + Math.floor((lateMs * perMinute) / WINDOW_MS) : 0;
  const parallel = Math.ceil(perMinute / PER_MINUTE_IN_ONE_CONNECTION);
  const most = Math.min(slots, parallel, perMinute - taken, MAIL_LIMITS.parallelDeliveries);
  return { most: Math.max(0, most), isProbe: false };
}

/**
 * Since when a new message ends the waiting for the next probe; `null`: it does not, because the fault has
 * nothing to do with the message that met it.
 */
export function newEndsPauseSince({ pausedAt, fault, perMinuteSince }: SendingPace): Date | null {
  return pausedAt !== null && isFaultOfMessage(fault) ? perMinuteSince : null;
}

const isLimit = (fault: string | null) => fault === 'rate' || fault === 'connections';

/**
 * The pace once messages were claimed: when the next one may be sent.
 *
 * @param probeUntil until when a probe whose sender may have died holds up the others
 * @param random from 0 to 1: half an interval to one and a half, not in step with other senders
 */
export function paceAfterClaim(
  pace: SendingPace,
  claimed: number,
  { now, probeUntil, random }: { now: Date; probeUntil: Date; random: number },
): SendingPace {
  if (pace.pausedAt !== null) return { ...pace, nextSendAt: probeUntil };
  if (pace.perMinute === null) return pace;
  const next = raised(pace, pace.perMinute, now);
  const waitMs = ((claimed * WINDOW_MS) / next.perMinute) * (0.5 + random);
  return { ...next, nextSendAt: new Date(fromOf(pace, now) + waitMs) };
}

function fromOf({ nextSendAt }: SendingPace, now: Date): number {
  return Math.max(nextSendAt?.getTime() ?? 0, now.getTime() - CATCH_UP_MS);
}

function raised(pace: SendingPace, perMinute: number, now: Date) {
  const since = pace.perMinuteSince?.getTime() ?? now.getTime();
  return now.getTime() - since < MAIL_LIMITS.raiseLimitAfterMs
    ? { ...pace, perMinute }
    : { ...pace, perMinute: Math.ceil(perMinute * RAISE), perMinuteSince: now };
}

/**
 * The pace after a refusal for a fault of the account: a pause that grows with each in a row. A rate
 * limit allows from now on as many a minute as were taken.
 */
export function paceAfterFault(
  pace: SendingPace,
  fault: AccountFault,
  { now, taken, isProbe, random }: { now: Date; taken: number; isProbe: boolean; random: number },
): SendingPace {
  // Another process has begun the pause since this message was claimed.
  if (pace.pausedAt !== null && !isProbe) return pace;
  const firstMs = isLimit(fault.code)
    ? MAIL_LIMITS.limitPauseFirstMs
    : MAIL_LIMITS.faultPauseFirstMs;
  const pauseMs = Math.min(firstMs * 2 ** Math.min(pace.pauses, 20), MAIL_LIMITS.pauseLongestMs);
  return {
    // A probe says nothing about how many are taken.
    perMinute: isProbe ? pace.perMinute : limitAfter(pace.perMinute, fault, taken),
    perMinuteSince: now,
    nextSendAt: new Date(now.getTime() + pauseMs * (0.9 + 0.2 * random)),
    pausedAt: pace.pausedAt ?? now,
    pauses: pace.pauses + 1,
    fault: fault.code,
    faultText: fault.said ?? null,
  };
}

/** A single hiccup after a quiet time does not slow a known pace to nothing: it is halved at most. */
function limitAfter(known: number | null, { code }: AccountFault, taken: number): number | null {
  if (code === 'connections') return Math.min(known ?? Infinity, PER_MINUTE_IN_ONE_CONNECTION);
  if (code !== 'rate') return known;
  if (known === null) return Math.max(MAIL_LIMITS.parallelDeliveries, taken);
  return Math.max(1, Math.min(known, Math.max(taken, Math.ceil(known / 2))));
}

/** The pace once the provider has answered for a recipient again. */
export function paceAfterPause(pace: SendingPace, now: Date): SendingPace {
  return { ...UNLIMITED, perMinute: pace.perMinute, perMinuteSince: now, nextSendAt: now };
}
