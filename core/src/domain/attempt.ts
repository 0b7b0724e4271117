import { ATTEMPT_LIMITS, PAUSE_LIMITS } from './limits.ts';

/** Status of an attempt (specification 4); it only moves forward, from in_progress to one of the others. */
export type AttemptStatus = 'in_progress' | 'completed' | 'dismissed';

/** How an attempt ended (product 4.4); `database` is an administrator or operator. */
export type SubmissionType = 'manual' | 'auto' | 'dismissed' | 'database';

/** A reviewer's decision about an ended attempt; without one it is open. */
export type Verdict = 'no_concern' | 'talk' | 'breach';

/** Why the server will close an attempt at `closeAt`. */
export type CloseReason = 'auto' | 'dismissed' | 'database';

export interface DueTime {
  deadlineAt: Date;
  closeAt: Date;
  closeReason: CloseReason;
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
const earlier = (a: Date, b: Date) => (a.getTime() <= b.getTime() ? a : b);
const latest = (a: Date, b: Date) => (a.getTime() >= b.getTime() ? a : b);

/** The minutes of someone with extra time, the same in emails, on pages and by the clock: with their seconds. */
export function minutesWithExtra(duration: number, extraTimeFactor: number): number {
  // 60 times 1.1 is 66.00000000000001.
  return Number((duration * extraTimeFactor).toFixed(6));
}

/**
 * The deadline rule (product 4.1): `startedAt + duration x factor`, at most `endDate` unless the quiz
 * lets people finish after it. Fixed at the start; only an audited extension moves it.
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
  return { deadlineAt, closeAt: closeAtOf(deadlineAt), closeReason: 'auto' };
}

/** Extra time of a person, and what the end date leaves of it. */
export interface ExtraTime {
  /** All of their time. */
  minutes: number;
  /** Whole minutes for someone who starts as early as is still possible; `minutes` where nothing is cut. */
  atMost: number;
  /** The latest start that leaves all of it; null where the end date cuts nothing. */
  startBy: Date | null;
}

/** The time that `dueTimeAtStart` will leave to someone with extra time; `null` for someone without. */
export function extraTimeOf(
  {
    duration,
    opensAt,
    endDate,
    finishAfterEnd,
  }: { duration: number; opensAt: Date | null; endDate: Date | null; finishAfterEnd: boolean },
  extraTimeFactor: number,
  now: Date,
): ExtraTime | null {
  if (extraTimeFactor === 1) return null;
  const minutes = minutesWithExtra(duration, extraTimeFactor);
  if (endDate === null || finishAfterEnd) return { minutes, atMost: minutes, startBy: null };
  const first = opensAt === null ? now : latest(opensAt, now);
  const leftMs = Math.max(0, endDate.getTime() - first.getTime());
  return {
    minutes,
    atMost: Math.min(minutes, Math.floor(leftMs / 60_000)),
    startBy: later(endDate, -Math.round(minutes * 60_000)),
  };
}

/** The last moment a save is accepted when the time is over. */
export function closeAtOf(deadlineAt: Date): Date {
  return later(deadlineAt, ATTEMPT_LIMITS.graceMs);
}

/**
 * Other reasons an attempt can be due; the earliest wins (product 4.4). An attempt that is due for
 * dismissal stays dismissed when another end comes first: only its moment moves (I15).
 *
 * @param delayMs time for the browser to send unsent answers
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
 * The due time of an attempt after an extension (I2). If the deadline has already passed (in the grace
 * period or after an outage), the minutes count from now. Time granted after an outage is not taken
 * back.
 *
 * @returns `null` when the attempt is about to end for another reason, which more time cannot stop
 */
export function dueTimeExtended(current: DueTime, minutes: number, now: Date): DueTime | null {
  if (current.closeReason !== 'auto') return null;
  const deadlineAt = later(latest(current.deadlineAt, now), minutes * 60_000);
  const closeAt = latest(current.closeAt, closeAtOf(deadlineAt));
  return { deadlineAt, closeAt, closeReason: 'auto' };
}

/**
 * The latest time in which the clock of an attempt stands still: from `pausedAt` until, but not at,
 * `pausedUntil`. The due times move by all of it as soon as it begins, so that it ends by itself, also while
 * the service is down; one that is ended sooner moves them back.
 */
export interface Pause {
  pausedAt: Date | null;
  pausedUntil: Date | null;
  /** Milliseconds of all pauses of the attempt, the latest one as a whole. */
  pausedMs: number;
}

/** Whether the clock of an attempt stands still. */
export function isPaused({ pausedUntil }: Pick<Pause, 'pausedUntil'>, now: Date): boolean {
  return pausedUntil !== null && now.getTime() < pausedUntil.getTime();
}

/** A pause that lasts, and when it ends by itself; null: a person ends it, if they do within hours. */
export function lastingPause(
  { pausedAt, pausedUntil }: Omit<Pause, 'pausedMs'>,
  now: Date,
): { since: Date; until: Date | null; leftMs: number } | null {
  if (pausedAt === null || pausedUntil === null || !isPaused({ pausedUntil }, now)) return null;
  const isOpen = pausedUntil.getTime() - pausedAt.getTime() >= PAUSE_LIMITS.longestMs;
  const leftMs = remainingMs(pausedUntil, now);
  return { since: pausedAt, until: isOpen ? null : pausedUntil, leftMs };
}

/** Whether something happened while the clock stood still, in the latest pause. */
export function wasPausedAt({ pausedAt, pausedUntil }: Omit<Pause, 'pausedMs'>, at: Date): boolean {
  return pausedAt !== null && pausedAt.getTime() <= at.getTime() && isPaused({ pausedUntil }, at);
}

/**
 * The times of an attempt whose clock is to stand still until a moment; until now: it goes on. The time that
 * was left is left then. An attempt that is about to end for another reason than its time ends all the same.
 *
 * @returns `null` for one without time left, or that is about to end, where a pause would begin
 */
export function pausedTo(
  current: DueTime & Pause,
  until: Date,
  now: Date,
): (DueTime & Pause) | null {
  const isLonger = isPaused(current, now);
  const isEnding = current.closeReason !== 'auto' || remainingMs(current.deadlineAt, now) === 0;
  if (!isLonger && isEnding) return null;
  const ms = until.getTime() - (isLonger ? (current.pausedUntil ?? now) : now).getTime();
  return {
    ...current,
    deadlineAt: later(current.deadlineAt, ms),
    closeAt: current.closeReason === 'auto' ? later(current.closeAt, ms) : current.closeAt,
    pausedAt: isLonger ? current.pausedAt : now,
    pausedUntil: until,
    pausedMs: current.pausedMs + ms,
  };
}

/** Milliseconds of the pauses that are over. */
export function pausedBefore({ pausedAt, pausedUntil, pausedMs }: Pause, now: Date): number {
  const isOver = pausedAt === null || pausedUntil === null || !isPaused({ pausedUntil }, now);
  return isOver ? pausedMs : pausedMs - remainingMs(pausedUntil, pausedAt);
}

/** The deadline as it is shown, which never decreases: a pause is in it once it is over. */
export function deadlineShown(attempt: Pick<DueTime, 'deadlineAt'> & Pause, now: Date): Date {
  return later(attempt.deadlineAt, pausedBefore(attempt, now) - attempt.pausedMs);
}

/** Milliseconds that an ended attempt has when it is reinstated: those that were left, and the minutes added. */
export function leftWhenReinstated(before: {
  deadlineAt: Date;
  submittedAt: Date | null;
  addedMinutes: number | null;
  pausedUntil: Date | null;
}): number {
  const { deadlineAt, submittedAt, addedMinutes, pausedUntil } = before;
  const leftMs = submittedAt === null ? 0 : remainingMs(deadlineAt, submittedAt, pausedUntil);
  return leftMs + (addedMinutes ?? 0) * 60_000;
}

/**
 * After an outage that covered a deadline or due time, candidates first get time to send unsent answers
 * (product 4.1), even if the outage ended within the grace period. An attempt that was not due during
 * the outage, or that no longer accepted saves when it began, keeps its times.
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

interface Interval {
  from: Date;
  until: Date;
}

/**
 * Milliseconds that an attempt lost in an outage of the service: as long as nothing was heard of it then, and for
 * the minute in which pages come back. A page that worked on without the service lost them all the same: what it
 * could not send was at risk. Nothing while its clock stood still.
 */
export function lostIn(
  outage: Interval,
  silence: Interval,
  { pausedAt, pausedUntil }: Omit<Pause, 'pausedMs'>,
): number {
  const from = latest(outage.from, silence.from);
  const until = earlier(later(outage.until, ATTEMPT_LIMITS.outageReprieveMs), silence.until);
  const stoppedMs =
    pausedAt === null || pausedUntil === null
      ? 0
      : remainingMs(earlier(until, pausedUntil), latest(from, pausedAt));
  return Math.max(0, remainingMs(until, from) - stoppedMs);
}

/** Whether saves and a submit are accepted: while in progress, up to and including `closeAt`. */
export function acceptsSaves(status: AttemptStatus, closeAt: Date, now: Date): boolean {
  return status === 'in_progress' && now.getTime() <= closeAt.getTime();
}

/** How much sooner than the server a page may reach the same deadline. */
const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Whether an automatic end comes from a page that has not received an extension, so that the deadline it
 * counted down to is outdated, or that has lost count, as after a jump of the device's clock.
 *
 * @param knownDeadlineAt the deadline that the page counted down to
 */
export function endsTooEarly(due: DueTime, knownDeadlineAt: Date, now: Date): boolean {
  const hasMoved = due.deadlineAt.getTime() > knownDeadlineAt.getTime();
  const leftMs = due.deadlineAt.getTime() - now.getTime();
  return due.closeReason === 'auto' && leftMs > (hasMoved ? 0 : CLOCK_TOLERANCE_MS);
}

/**
 * Milliseconds until the deadline, never negative.
 *
 * @param pausedUntil of an attempt: until then the clock stands still
 */
export function remainingMs(deadlineAt: Date, now: Date, pausedUntil: Date | null = null): number {
  const from = pausedUntil === null ? now : latest(now, pausedUntil);
  return Math.max(0, deadlineAt.getTime() - from.getTime());
}

/** The three values that an end fixes. */
export interface AttemptEnd {
  status: 'completed' | 'dismissed';
  submissionType: SubmissionType;
  submittedAt: Date;
}

/**
 * How an attempt ends. A manual submit counts from the moment it arrived, an automatic end from the
 * deadline, the other two from the moment they were due. None is later than the grace period allows,
 * even if an outage delayed the closing (I12).
 */
export function endOf(due: DueTime, how: 'manual' | CloseReason, now: Date): AttemptEnd {
  const byGrace = closeAtOf(due.deadlineAt);
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

/** Whole seconds between start and end, or start and now while in progress, without pauses; never negative. */
export function timeSpentSeconds(
  {
    startedAt,
    submittedAt,
    pausedUntil,
    pausedMs,
  }: Omit<Pause, 'pausedAt'> & { startedAt: Date; submittedAt: Date | null },
  now: Date,
): number {
  const until = submittedAt ?? now;
  const stoppedMs = pausedMs - (pausedUntil === null ? 0 : remainingMs(pausedUntil, until));
  return Math.max(0, Math.floor((until.getTime() - startedAt.getTime() - stoppedMs) / 1_000));
}

/** The answer to a question: one option, or what `response` says (scoring.ts). */
export interface AnswerValue {
  optionId: number | null;
  response: string | null;
  isFlagged: boolean;
}

export interface AnswerState extends AnswerValue {
  revision: number;
}

/** An incoming answer; a submit's row may come without a revision (product 4.5). */
export interface IncomingAnswer extends AnswerValue {
  revision: number | null;
}

/** The effect of a save on the stored value of its question. */
export type SaveVerdict = 'write' | 'same' | 'stale' | 'conflict' | 'keep';

/**
 * The revision rule (invariants I7 to I9). `write` stores the incoming value, `same` and `stale` change
 * nothing and are acknowledged, `conflict` is a 409, `keep` is a row without a revision where an answer
 * is already stored.
 */
export function compareSave(stored: AnswerState | null, incoming: IncomingAnswer): SaveVerdict {
  if (incoming.revision === null) return stored === null ? 'write' : 'keep';
  if (stored === null || incoming.revision > stored.revision) return 'write';
  if (incoming.revision < stored.revision) return 'stale';
  const equal =
    incoming.optionId === stored.optionId &&
    incoming.response === stored.response &&
    incoming.isFlagged === stored.isFlagged;
  return equal ? 'same' : 'conflict';
}
