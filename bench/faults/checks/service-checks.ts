import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { broken, type Counterexample, check } from './counterexample.ts';
import type { FinalState } from './final-state.ts';
import { acknowledged, type Entry, operationsOf } from './history.ts';
import type { Alarms, ClockNote, DiskNote, SingleReply } from './notes.ts';

/** Once there is space again: the supervisor waits half a minute at most. */
const DISK_HEALS_WITHIN_MS = 60_000;

/** After each promotion of a standby, saves are accepted within `withinMs`. */
export const findSlowFailovers = check(function* (
  history: readonly Entry[],
  promotions: readonly number[],
  withinMs: number,
) {
  for (const at of promotions) {
    const waitedMs = untilNextSave(history, at);
    if (waitedMs > withinMs) yield broken('no save was accepted in time', `${waitedMs} ms`);
  }
});

/** Milliseconds from a moment to the first acknowledgement of a save sent after it. */
export function untilNextSave(history: readonly Entry[], from: number): number {
  const later = acknowledged(history, 'save').filter(({ invoke }) => invoke.at > from);
  return Math.min(...later.map(({ outcome }) => outcome.at), Number.POSITIVE_INFINITY) - from;
}

/**
 * Every response to a save is in time, and one that the browser can act on: done, refused, or "try
 * again" with `Retry-After`.
 *
 * @param allAnswered no connection was cut and no server ended or stopped: every save must be answered
 */
export const findUnanswered = check(function* (history: readonly Entry[], allAnswered: boolean) {
  for (const save of operationsOf(history, 'save')) {
    const { invoke, outcome } = save;
    const wrong = (what: string) => broken(what, 'see the answer', save);
    if (outcome === undefined || outcome.status === null) {
      if (allAnswered) yield wrong(outcome ? 'a save got no answer' : 'a save was never answered');
    } else if (outcome.at - invoke.at > REQUEST_LIMITS.timeoutMs) {
      yield wrong('a save took too long');
    } else if (outcome.type === 'unknown') {
      if (outcome.status !== 503) yield wrong('a save failed without "try again"');
      else if (!(Number(outcome.retryAfter) > 0)) yield wrong('"try again" does not say when');
    }
  }
});

/**
 * Every message is delivered, or failed permanently and is shown to the administrator. It is repeated
 * only where the mail server dropped the connection after accepting it, or where our server was
 * interrupted while sending; and then with the same code and Message-ID.
 *
 * @param cuts how often the latter may have happened in total
 */
export const findMailFaults = check(function* ({ messages }: FinalState, cuts: number) {
  for (const { recipient, taken, state, messageId, refused, lastError } of messages) {
    const stored = `${recipient}: ${state}, ${taken.length} accepted, ${refused} permanent failures, Message-ID ${messageId}`;
    const wrong = (what: string) => broken(what, stored);
    const answered = taken.filter((one) => one.answered).length;
    const isTold = state === 'failed' && (lastError ?? '') !== '';
    if (taken.some((one) => one.messageId !== messageId)) yield wrong('another Message-ID');
    else if (new Set(taken.map(({ code }) => code)).size > 1) yield wrong('another code');
    else if (answered > cuts + 1) yield wrong('a message was repeated without cause');
    else if (refused > 0 && !isTold) yield wrong('a permanent failure is not shown');
    // An interrupted server of ours did not receive the refusal.
    else if (refused > cuts + 1) yield wrong('a message that failed permanently was retried');
    else if (refused === 0 && taken.length === 0) yield wrong('a message never arrived');
    else if (refused === 0 && state !== 'sent') {
      yield wrong('a delivered message is not recorded as sent');
    }
  }
});

/** Every sent message is in the outbox: it is sent after the commit that created it. */
export const findStrays = check(function* ({ strays }: FinalState) {
  for (const { recipient, messageId } of strays) {
    const stored = `${recipient} has ${messageId}, which the outbox does not know`;
    yield broken('a message was sent for an uncommitted invitation', stored);
  }
});

/** While a clock is wrong no attempt ends, no save is refused, and alarms are raised. */
export const findClockFaults = check(function* (
  history: readonly Entry[],
  state: FinalState,
  notes: readonly ClockNote[],
) {
  for (const { whose, from, to, seenMs, alarms } of notes) {
    const stored = `the clock of ${whose} was ${Math.round(seenMs / 60_000)} minutes off for ${Math.round(to - from)} ms`;
    const isMeanwhile = (at: number) => at > from && at < to;
    for (const { id, endedAt } of state.attempts) {
      if (!endedAt.some(isMeanwhile)) continue;
      yield broken(`attempt ${id} ended while the clock was wrong`, stored);
    }
    for (const save of operationsOf(history, 'save')) {
      if (save.outcome?.type !== 'fail' || !isMeanwhile(save.outcome.at)) continue;
      yield broken('a save was refused while the clock was wrong', stored, save);
    }
    if (savesWithin(history, from, to) === 0) {
      yield broken('there was no save while the clock was wrong', stored);
    }
    yield* missing(alarms, stored);
  }
});

/** New attempts are refused first, running ones continue, and it recovers on its own. */
export const findDiskFaults = check(function* (
  history: readonly Entry[],
  notes: readonly DiskNote[],
) {
  for (const note of notes) {
    const { lowAt, fullAt, freedAt, wellAt, whileLow } = note;
    const stored = `low for ${Math.round(fullAt - lowAt)} ms, full for ${Math.round(freedAt - fullAt)} ms, recovered after ${Math.round(wellAt - freedAt)} ms`;
    const wrong = (what: string, reply?: SingleReply) =>
      broken(reply ? `${what} (${reply.status} ${reply.code})` : what, stored);
    const isRefused = whileLow.status === 503 && whileLow.code === 'DISK_LOW';
    if (!isRefused || !(Number(whileLow.retryAfter) > 0)) {
      yield wrong('a new attempt was not refused while the disk was low', whileLow);
    }
    for (const [reply, status, what] of [
      [note.resumed, 200, 'resuming failed'],
      [note.evidence, 503, 'evidence was accepted'],
      [note.report, 201, 'a violation was refused'],
      [note.afterwards, 201, 'starting failed afterwards'],
    ] as const) {
      if (reply.status !== status) yield wrong(what, reply);
    }
    if (savesWithin(history, lowAt, fullAt) === 0) {
      yield wrong('there was no save while the disk was low');
    }
    if (wellAt - freedAt > DISK_HEALS_WITHIN_MS) yield wrong('it recovered too late');
    yield* missing(note.alarms, stored);
  }
});

function* missing({ log, metrics, over }: Alarms, stored: string): Generator<Counterexample> {
  if (!log) yield broken('no alarm in the log', stored);
  if (!metrics) yield broken('no alarm in the metrics', stored);
  if (!over) yield broken('the alarm did not end', stored);
}

function savesWithin(history: readonly Entry[], from: number, to: number): number {
  return acknowledged(history, 'save').filter(({ outcome: { at } }) => at > from && at < to).length;
}
