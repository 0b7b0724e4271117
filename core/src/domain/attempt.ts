import { ATTEMPT_LIMITS } from './limits.ts';

/** Where an attempt stands (seed 4). It only moves forward: in_progress to one of the other two. */
export type AttemptStatus = 'in_progress' | 'completed' | 'dismissed';

/** How an attempt ended (product 4.4); `database` is an administrator or operator. */
export type SubmissionType = 'manual' | 'auto' | 'dismissed' | 'database';

/** A reviewer's judgement of an ended attempt; without one it is open. */
export type Verdict = 'no_concern' | 'talk' | 'breach';

/** Why the server will close an attempt by itself at `closeAt`. */
export type CloseReason = 'auto' | 'dismissed' | 'database';

/** When an attempt is due, and why. */
export interface DueTime {
  deadlineAt: Date;
  closeAt: Date;
  closeReason: CloseReason;
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
const earlier = (a: Date, b: Date) => (a.getTime() <= b.getTime() ? a : b);
const latest = (a: Date, b: Date) => (a.getTime() >= b.getTime() ? a : b);

/**
 * The deadline rule (product 4.1): `startedAt + duration x factor`, at most `endDate` unless the
 * quiz lets people finish after its end. Fixed at the start; only an audited extension moves it.
 *
 * @param durationMinutes of the quiz
 * @param extraTimeFactor of the invitation, 1 = none
 */
export function dueTimeAtStart(
  startedAt: Date,
  durationMinutes: number,
  extraTimeFactor: number,
  endDate: Date | null,
  finishAfterEnd: boolean,
): DueTime {
  const full = later(startedAt, Math.round(durationMinutes * 60_000 * extraTimeFactor));
  const deadlineAt = endDate === null || finishAfterEnd ? full : earlier(full, endDate);
  return { deadlineAt, closeAt: later(deadlineAt, ATTEMPT_LIMITS.graceMs), closeReason: 'auto' };
}

/**
 * The other reasons an attempt can be due; the earliest one wins (product 4.4). Only that a limit was
 * reached is never forgotten, whatever comes first: then just the moment stays (I15).
 *
 * @param delayMs what the browser gets to send what it holds
 */
export function dueTimeAfter(
  current: DueTime,
  reason: Exclude<CloseReason, 'auto'>,
  now: Date,
  delayMs: number = reason === 'dismissed'
    ? ATTEMPT_LIMITS.dismissDelayMs
    : ATTEMPT_LIMITS.endNowDelayMs,
): DueTime {
  const closeAt = earlier(current.closeAt, later(now, delayMs));
  const isDismissed = reason === 'dismissed' || current.closeReason === 'dismissed';
  const first = closeAt.getTime() < current.closeAt.getTime() ? reason : current.closeReason;
  return { ...current, closeAt, closeReason: isDismissed ? 'dismissed' : first };
}

/**
 * The due time of an attempt that gets more time (I2). Where the deadline has passed already, in the
 * grace or in the moment after an outage, the minutes count from now, so that none of them is spent
 * before it is given; and what was granted after an outage is not taken back.
 *
 * @returns `null` when the attempt is about to end for another reason, which more time cannot stop
 */
export function dueTimeExtended(current: DueTime, minutes: number, now: Date): DueTime | null {
  if (current.closeReason !== 'auto') return null;
  const deadlineAt = later(latest(current.deadlineAt, now), minutes * 60_000);
  const closeAt = latest(current.closeAt, later(deadlineAt, ATTEMPT_LIMITS.graceMs));
  return { deadlineAt, closeAt, closeReason: 'auto' };
}

/**
 * After an outage that covered a deadline or a due time, candidates first get a moment to send what
 * they hold (product 4.1), also where the outage ended within the grace. An attempt that was not due
 * during the outage keeps its times, and so does one whose saves were over when it began.
 *
 * @param aliveUntil the last moment the service is known to have been up
 * @param readyAt when it was ready again
 */
export function closeAtAfterOutage(
  { deadlineAt, closeAt }: Pick<DueTime, 'deadlineAt' | 'closeAt'>,
  aliveUntil: Date,
  readyAt: Date,
): Date {
  const isOver = closeAt.getTime() <= aliveUntil.getTime();
  const isWithin = (at: Date) =>
    at.getTime() > aliveUntil.getTime() && at.getTime() <= readyAt.getTime();
  if (isOver || (!isWithin(closeAt) && !isWithin(deadlineAt))) return closeAt;
  return latest(closeAt, later(readyAt, ATTEMPT_LIMITS.outageReprieveMs));
}

/** Whether saves and a submit are still taken: while in progress, up to and including `closeAt`. */
export function acceptsSaves(status: AttemptStatus, closeAt: Date, now: Date): boolean {
  return status === 'in_progress' && now.getTime() <= closeAt.getTime();
}

/**
 * Whether an automatic end comes from a page that has not heard of time given since: it says that the
 * time is over, of a deadline that is none any more.
 *
 * @param knownDeadlineAt the deadline that the page counted down to
 */
export function endsTooEarly(due: DueTime, knownDeadlineAt: Date, now: Date): boolean {
  const hasMoved = due.deadlineAt.getTime() > knownDeadlineAt.getTime();
  return due.closeReason === 'auto' && hasMoved && now.getTime() < due.deadlineAt.getTime();
}

/** Milliseconds until the deadline, never negative. */
export function remainingMs(deadlineAt: Date, now: Date): number {
  return Math.max(0, deadlineAt.getTime() - now.getTime());
}

/** The three things that an end fixes. */
export interface AttemptEnd {
  status: 'completed' | 'dismissed';
  submissionType: SubmissionType;
  submittedAt: Date;
}

/**
 * What an attempt becomes when it ends. A manual submit counts at the moment it arrived but never
 * later than the grace allows; an automatic end counts at the deadline, whenever the server got to
 * it; the other two at the moment they were due. None is later than the grace allows, also where an
 * outage put off the closing (I12).
 */
export function endOf(due: DueTime, how: 'manual' | CloseReason, now: Date): AttemptEnd {
  const byGrace = later(due.deadlineAt, ATTEMPT_LIMITS.graceMs);
  const whenDue = earlier(earlier(now, due.closeAt), byGrace);
  switch (how) {
    case 'manual':
      return { status: 'completed', submissionType: 'manual', submittedAt: earlier(now, byGrace) };
    case 'auto':
      return { status: 'completed', submissionType: 'auto', submittedAt: due.deadlineAt };
    case 'database':
      return { status: 'completed', submissionType: 'database', submittedAt: whenDue };
    case 'dismissed':
      return { status: 'dismissed', submissionType: 'dismissed', submittedAt: whenDue };
  }
}

/** Whole seconds between start and end, or start and now while in progress; never negative. */
export function timeSpentSeconds(startedAt: Date, submittedAt: Date | null, now: Date): number {
  return Math.max(0, Math.floor(((submittedAt ?? now).getTime() - startedAt.getTime()) / 1_000));
}

/** What is stored for a question, or comes in for it. */
export interface AnswerState {
  optionId: number | null;
  isFlagged: boolean;
  revision: number;
}

/** An incoming answer; a submit's row may come without a revision (product 4.5). */
export interface IncomingAnswer {
  optionId: number | null;
  isFlagged: boolean;
  revision: number | null;
}

/** What a save does to the stored value of its question. */
export type SaveVerdict = 'write' | 'same' | 'stale' | 'conflict' | 'keep';

/**
 * The revision rule (invariants I7 to I9). `write` stores the incoming value, `same` and `stale`
 * change nothing and are acknowledged, `conflict` is a 409, `keep` is a row without a revision where
 * something is stored already.
 */
export function compareSave(stored: AnswerState | null, incoming: IncomingAnswer): SaveVerdict {
  if (incoming.revision === null) return stored === null ? 'write' : 'keep';
  if (stored === null || incoming.revision > stored.revision) return 'write';
  if (incoming.revision < stored.revision) return 'stale';
  const equal = incoming.optionId === stored.optionId && incoming.isFlagged === stored.isFlagged;
  return equal ? 'same' : 'conflict';
}
