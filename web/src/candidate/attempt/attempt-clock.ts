import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/**
 * The countdown of one attempt. It counts from the server's `remainingMs` with the monotonic clock
 * of the page and never compares wall clocks, so a changed device clock gives and takes nothing.
 *
 * A reply tells what was left when it was written; by the time it is here that is less. One that came
 * promptly keeps the two clocks together. Any other may only say that less is left: a page that runs
 * behind the server takes answers after they count, and one that runs ahead ends before its time.
 */
export interface AttemptClock {
  /** The server's deadline, to see that it moved. Never compared with a clock of this device. */
  readonly deadlineAt: string;
  /** milliseconds of the whole attempt: the thresholds are shares of it */
  readonly totalMs: number;
  /** What was left at the last reply, and when that came (monotonic milliseconds). */
  readonly leftMs: number;
  readonly asOf: number;
  /** The least that was ever shown: the countdown does not go back up. */
  readonly shownMs: number;
}

/** Within this, request and reply together, a reply is prompt. */
const PROMPT_MS = 1_000;

/** What a reply of the server says about time. Saves do not carry the deadline. */
export interface TimeNews {
  remainingMs: number;
  deadlineAt?: string;
}

/** @param now monotonic milliseconds, from `performance.now()` */
export function startClock(
  attempt: { startedAt: string; deadlineAt: string; remainingMs: number },
  now: number,
): AttemptClock {
  // Both are the server's instants: their difference is a duration, not a comparison of clocks.
  const totalMs = Math.max(1, Date.parse(attempt.deadlineAt) - Date.parse(attempt.startedAt));
  const { deadlineAt, remainingMs } = attempt;
  return { deadlineAt, totalMs, leftMs: remainingMs, asOf: now, shownMs: remainingMs };
}

/**
 * Takes the newest word of the server. Only a deadline that moved lets the countdown grow.
 *
 * @param tookMs from the request to the reply, where that is known
 */
export function heardFromServer(
  clock: AttemptClock,
  news: TimeNews,
  now: number,
  tookMs = Number.POSITIVE_INFINITY,
): AttemptClock {
  const { deadlineAt = clock.deadlineAt, remainingMs } = news;
  const moved = Date.parse(deadlineAt) - Date.parse(clock.deadlineAt);
  const heard = { ...clock, deadlineAt, leftMs: remainingMs, asOf: now };
  if (moved > 0) return { ...heard, totalMs: clock.totalMs + moved, shownMs: remainingMs };
  const shownMs = Math.min(remainingLeft(clock, now), remainingMs);
  return { ...heard, leftMs: tookMs <= PROMPT_MS ? remainingMs : shownMs, shownMs };
}

/** Milliseconds to show at `now`: never negative, never more than was shown before. */
export function remainingLeft(clock: AttemptClock, now: number): number {
  const counted = clock.leftMs - Math.max(0, now - clock.asOf);
  return Math.max(0, Math.min(clock.shownMs, counted));
}

export type TimerPhase = 'calm' | 'short' | 'last';

/** Yellow at 25 % left, red at 10 % (seed 9). */
export function phaseOf(remainingMs: number, totalMs: number): TimerPhase {
  const share = remainingMs / totalMs;
  if (share <= SCREEN_LIMITS.timerRedShare) return 'last';
  return share <= SCREEN_LIMITS.timerYellowShare ? 'short' : 'calm';
}

/** The threshold in minutes that was passed between two looks at the clock, or `null`. */
export function spokenMinutes(beforeMs: number, afterMs: number): number | null {
  const passed = SCREEN_LIMITS.spokenMinutesLeft.filter(
    (minutes) => beforeMs > minutes * 60_000 && afterMs <= minutes * 60_000,
  );
  // After a long sleep several were passed: only the last one is still true.
  return passed.at(-1) ?? null;
}

/** `mm:ss`, above an hour `h:mm:ss`. A second that has begun is shown whole, so 0 means over. */
export function clockText(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const tail = `${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/**
 * The 30 s check of the seed: the device clock and the monotonic one ran apart (clock changed,
 * laptop slept). Nothing is corrected from it; it is a reason to ask the server at once.
 */
export function clocksRanApart(
  before: { wall: number; monotonic: number },
  after: { wall: number; monotonic: number },
): boolean {
  const apart = after.wall - before.wall - (after.monotonic - before.monotonic);
  return Math.abs(apart) > CLOCKS_APART_MS;
}

/** More than ordinary corrections of a device clock make; milliseconds. */
const CLOCKS_APART_MS = 2_000;
