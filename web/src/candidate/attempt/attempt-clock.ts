import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';

/**
 * The countdown of one attempt. It counts from the server's `remainingMs` with the monotonic clock
 * of the page and never compares wall clocks, so a changed device clock gives and takes nothing.
 *
 * A reply has the time left when it was sent, which is less on arrival. A prompt reply synchronizes the
 * clocks. Any other may only lower the time left: a page behind the server would accept answers that no
 * longer count, and one ahead would end early.
 */
export interface AttemptClock {
  /** The server's deadline, to detect a change. Never compared with a clock of this device. */
  readonly deadlineAt: string;
  /** When this page learned of the last move of the deadline (monotonic milliseconds). */
  readonly movedAt: number;
  /** milliseconds of the whole attempt: the thresholds are shares of it */
  readonly totalMs: number;
  /** Time left at the last reply, and when that arrived (monotonic milliseconds). */
  readonly leftMs: number;
  readonly asOf: number;
  /** The minimum shown since the last move of the deadline or pause: the countdown does not increase. */
  readonly shownMs: number;
  /** Until when the clock stands still (monotonic milliseconds); over, or never: it runs. */
  readonly pausedUntil: number;
  /** Milliseconds of the pauses that are over; the deadline includes them. */
  readonly pausedMs: number;
}

/** Maximum round trip of a prompt reply. */
const PROMPT_MS = 1_000;

/** Time in a reply of the server. Saves have no deadline. */
export interface TimeNews {
  remainingMs: number;
  deadlineAt?: string;
  pause?: { leftMs: number } | undefined;
  pausedMs?: number | undefined;
}

const RUNS = Number.NEGATIVE_INFINITY;

/** @param now monotonic milliseconds, from `performance.now()` */
export function startClock(
  attempt: TimeNews & { startedAt: string; deadlineAt: string },
  now: number,
): AttemptClock {
  // Both are server times: the difference is a duration.
  const { deadlineAt, remainingMs, pause, pausedMs = 0 } = attempt;
  const totalMs = Math.max(1, Date.parse(deadlineAt) - Date.parse(attempt.startedAt) - pausedMs);
  const pausedUntil = pause ? now + pause.leftMs : RUNS;
  const left = { leftMs: remainingMs, asOf: now, shownMs: remainingMs };
  return { deadlineAt, totalMs, movedAt: RUNS, ...left, pausedUntil, pausedMs };
}

/**
 * Applies a reply of the server. Only a changed deadline or a pause can increase the countdown. An older reply that
 * arrives after the change is ignored: a deadline never moves back (invariant I2), and a save, which names
 * none, has to be sent after the change.
 *
 * @param tookMs from the request to the reply, if known
 */
export function syncClock(
  clock: AttemptClock,
  news: TimeNews,
  now: number,
  tookMs = Number.POSITIVE_INFINITY,
): AttemptClock {
  const isSave = news.deadlineAt === undefined;
  const { deadlineAt = clock.deadlineAt, remainingMs, pausedMs = 0 } = news;
  const moved = Date.parse(deadlineAt) - Date.parse(clock.deadlineAt);
  const isOutdated = isSave && now - tookMs < clock.movedAt;
  // The end of a pause moves the deadline: what says that the clock runs, and does not, is older than the pause.
  const isOlder = !isSave && !news.pause && moved === 0 && isStopped(clock, now);
  if (moved < 0 || isOutdated || isOlder) return clock;
  const pausedUntil = isSave ? clock.pausedUntil : news.pause ? now + news.pause.leftMs : RUNS;
  const synced = { ...clock, deadlineAt, leftMs: remainingMs, asOf: now, pausedUntil };
  if (moved > 0) {
    const totalMs = clock.totalMs + extension(clock, { deadlineAt, pausedMs });
    return { ...synced, movedAt: now, totalMs, shownMs: remainingMs, pausedMs };
  }
  // A page that learns late of a pause has counted on: what was left when it began is left.
  const shownMs = news.pause ? remainingMs : Math.min(remainingLeft(clock, now), remainingMs);
  return { ...synced, leftMs: tookMs <= PROMPT_MS ? remainingMs : shownMs, shownMs };
}

/** Whether the clock stands still. */
export function isStopped(
  { pausedUntil }: Pick<AttemptClock, 'pausedUntil'>,
  now: number,
): boolean {
  return now < pausedUntil;
}

/** Milliseconds by which an invigilator has moved the deadline between two states; pauses move it as well. */
export function extension(
  before: Pick<AttemptClock, 'deadlineAt' | 'pausedMs'>,
  after: Pick<AttemptClock, 'deadlineAt' | 'pausedMs'>,
): number {
  const moved = Date.parse(after.deadlineAt) - Date.parse(before.deadlineAt);
  return moved - (after.pausedMs - before.pausedMs);
}

/** Milliseconds to show at `now`: never negative, never more than before without news that gives more. */
export function remainingLeft(clock: AttemptClock, now: number): number {
  const counted = clock.leftMs - Math.max(0, now - Math.max(clock.asOf, clock.pausedUntil));
  return Math.max(0, Math.min(clock.shownMs, counted));
}

export type TimerPhase = 'calm' | 'short' | 'last';

/** Yellow at 25 % left, red at 10 % (specification 9). */
export function phaseOf(remainingMs: number, totalMs: number): TimerPhase {
  const share = remainingMs / totalMs;
  if (share <= SCREEN_LIMITS.timerRedShare) return 'last';
  return share <= SCREEN_LIMITS.timerYellowShare ? 'short' : 'calm';
}

/** The announcement that is due between two ticks: `5 minutes left`, `30 seconds left`; or `null`. */
export function spokenTime(beforeMs: number, afterMs: number): string | null {
  const thresholds = [
    ...SCREEN_LIMITS.spokenMinutesLeft.map((n) => ({ n, words: minutesLeft, ms: n * 60_000 })),
    ...SCREEN_LIMITS.spokenSecondsLeft.map((n) => ({ n, words: secondsLeft, ms: n * 1_000 })),
  ];
  // Several may be passed after a long sleep: only the last one is current.
  const passed = thresholds.filter(({ ms }) => beforeMs > ms && afterMs <= ms).at(-1);
  return passed ? passed.words(passed.n) : null;
}

const minutesLeft = (n: number) =>
  t(
    /* announced while the time runs out */
    'timer.minutesLeft',
    '{n, plural, one {# minute left} other {# minutes left}}',
    { n },
  );

const secondsLeft = (n: number) =>
  t(
    /* announced while the time runs out */
    'timer.secondsLeft',
    '{n, plural, one {# second left} other {# seconds left}}',
    { n },
  );

/**
 * The 30 s check of the specification: the device clock and the monotonic one diverged (clock changed, laptop
 * slept). It corrects nothing, but triggers a heartbeat.
 */
export function clocksRanApart(
  before: { wall: number; monotonic: number },
  after: { wall: number; monotonic: number },
): boolean {
  const apart = after.wall - before.wall - (after.monotonic - before.monotonic);
  return Math.abs(apart) > CLOCKS_APART_MS;
}

/** More than ordinary clock adjustments; milliseconds. */
const CLOCKS_APART_MS = 2_000;
