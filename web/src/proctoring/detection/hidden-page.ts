import { type DetectedEvent, detectedEvent } from './detected-event.ts';

/** One moment by both clocks of the page, milliseconds. Either may stop while a device sleeps. */
export interface Moment {
  monotonic: number;
  wall: number;
}

/** Timers this late did not run: the device slept or the page was frozen. */
const GAP_MS = 5_000;
/**
 * The same for a hidden page, whose timers browsers still run once a second. A lid closed for three
 * seconds must not look like three seconds on another page.
 */
const HIDDEN_GAP_MS = 2_500;
/**
 * Tolerance beyond the policy's limit while the page is still hidden, milliseconds. Timers run for
 * some seconds between closing the lid and sleep; they must not end an attempt.
 */
const SLEEP_MAY_COME_MS = 3_000;

/** A page hidden so soon after a sleep is behind the lock screen that waking shows, milliseconds. */
const WAKING_MS = 15_000;
/**
 * A page that stays hidden for longer after a sleep, with running timers, is behind no lock screen:
 * from then on it is hidden like any other. Milliseconds.
 */
const LOCK_SCREEN_MS = 120_000;

/** A period in which the page was hidden, by the page's monotonic clock. */
export interface HiddenTime {
  from: number;
  /** `null` while it lasts. */
  until: number | null;
  /** The type it was reported as; `null` before that. */
  reportedAs: 'tab_hidden' | 'tab_hidden_briefly' | 'device_slept' | null;
}

/**
 * Distinguishes a page that was left from a briefly hidden one and from a device that slept
 * (product 6). A violation needs a page hidden for longer than the policy allows while its timers
 * kept running. Opening the lid shows a lock screen, at once or after a moment of the page, so a period
 * with a sleep in it or just before it is only recorded, unless it lasts for two minutes more.
 */
export class HiddenPage {
  readonly #hiddenMs: number;
  #since: Moment | null = null;
  #last: Moment | null = null;
  /** A sleep was just before the period. */
  #isWaking = false;
  /** A sleep was in the period: only that one may be followed by another lock screen. */
  #hasGap = false;
  /** The moment since when the timers of the hidden page run without a gap, by the monotonic clock. */
  #awakeSince = 0;
  /** When the latest sleep was seen. */
  #woke: Moment | null = null;
  #latest: HiddenTime | null = null;

  constructor(hiddenMs: number) {
    this.#hiddenMs = hiddenMs;
  }

  get latest(): HiddenTime | null {
    return this.#latest;
  }

  hidden(at: Moment): void {
    if (this.#since !== null) return;
    this.#isWaking = this.#woke !== null && gapBetween(this.#woke, at) <= WAKING_MS;
    this.#hasGap = this.#gapUntil(at) > GAP_MS;
    this.#awakeSince = at.monotonic;
    this.#since = at;
    this.#last = at;
    this.#latest = { from: at.monotonic, until: null, reportedAs: null };
  }

  /** A timer of the page ran. Also called while the page is visible, where a gap is a sleep too. */
  tick(at: Moment): DetectedEvent[] {
    const gap = this.#gapUntil(at);
    this.#last = at;
    if (this.#since === null) {
      if (gap <= GAP_MS) return [];
      this.#woke = at;
      return [detectedEvent('device_slept', at.monotonic, { durationMs: Math.round(gap) })];
    }
    if (gap > HIDDEN_GAP_MS) {
      this.#hasGap = true;
      this.#awakeSince = at.monotonic;
    }
    return this.#left(this.#since, at, SLEEP_MAY_COME_MS);
  }

  shown(at: Moment): DetectedEvent[] {
    const since = this.#since;
    if (since === null) return [];
    const found = [...this.tick(at), ...this.#left(since, at, 0)];
    this.#since = null;
    if (this.#hasGap) this.#woke = at;
    if (this.#latest?.reportedAs !== 'tab_hidden') {
      const length = Math.round(gapBetween(since, at));
      const type = this.#slept ? 'device_slept' : 'tab_hidden_briefly';
      found.push(detectedEvent(type, at.monotonic, { durationMs: length }));
      this.#setReportedAs(type);
    }
    if (this.#latest !== null) this.#latest = { ...this.#latest, until: at.monotonic };
    return found;
  }

  #gapUntil(at: Moment): number {
    return this.#last === null ? 0 : gapBetween(this.#last, at);
  }

  /** The period is recorded as a sleep. */
  get #slept(): boolean {
    return this.#isWaking || this.#hasGap;
  }

  /** The violation, once, dated to when the allowed time was over. */
  #left(since: Moment, at: Moment, toleranceMs: number): DetectedEvent[] {
    const from = this.#slept ? this.#awakeSince + LOCK_SCREEN_MS : since.monotonic;
    const length = at.monotonic - from;
    if (this.#latest?.reportedAs === 'tab_hidden') return [];
    if (length <= this.#hiddenMs + toleranceMs) return [];
    this.#setReportedAs('tab_hidden');
    const happenedAt = from + this.#hiddenMs;
    return [detectedEvent('tab_hidden', happenedAt, { durationMs: Math.ceil(length) })];
  }

  #setReportedAs(reportedAs: HiddenTime['reportedAs']): void {
    if (this.#latest !== null) this.#latest = { ...this.#latest, reportedAs };
  }
}

function gapBetween(before: Moment, after: Moment): number {
  return Math.max(after.monotonic - before.monotonic, after.wall - before.wall);
}
