import { type Finding, finding } from './finding.ts';

/** One moment by both clocks of the page, milliseconds. Some of them stop while a device sleeps. */
export interface Moment {
  monotonic: number;
  wall: number;
}

/** Timers that come this late did not run: the device slept or the page was frozen. */
const GAP_MS = 5_000;
/**
 * The same for a hidden page, of which a browser still runs a timer each second. A lid that is
 * closed for three seconds must not look like three seconds on another page.
 */
const HIDDEN_GAP_MS = 2_500;
/**
 * How long a page that stays hidden is waited for beyond what the policy allows, milliseconds. Between
 * a lid that closes and the sleep of the device lie some seconds in which its timers run: they must
 * not end an attempt.
 */
const SLEEP_MAY_COME_MS = 3_000;

/** A time in which the page was hidden, by the page's monotonic clock. */
export interface HiddenTime {
  from: number;
  /** `null` while it lasts. */
  until: number | null;
  /** What it was told as; `null` as long as nothing is. */
  toldAs: 'tab_hidden' | 'tab_hidden_briefly' | 'device_slept' | null;
}

/**
 * Tells a page that was left from one that was hidden for a moment and from a device that slept
 * (product 6). While the page is hidden it is told every tick of its timer: a violation needs a page
 * that was hidden for longer than the policy allows while its timers kept running. Anyone who closes
 * the lid sees a locked screen afterwards, so a time with a sleep in it is only recorded.
 */
export class HiddenPage {
  readonly #hiddenMs: number;
  #since: Moment | null = null;
  #last: Moment | null = null;
  #slept = false;
  #latest: HiddenTime | null = null;

  constructor(hiddenMs: number) {
    this.#hiddenMs = hiddenMs;
  }

  /** The time in which the page is hidden, or was last. */
  get latest(): HiddenTime | null {
    return this.#latest;
  }

  hidden(at: Moment): void {
    if (this.#since !== null) return;
    this.#since = at;
    this.#last = at;
    this.#slept = false;
    this.#latest = { from: at.monotonic, until: null, toldAs: null };
  }

  /** A timer of the page ran. Told while it is shown, too: a gap is a sleep there as well. */
  tick(at: Moment): Finding[] {
    const gap = this.#last === null ? 0 : gapBetween(this.#last, at);
    this.#last = at;
    if (this.#since === null) {
      return gap > GAP_MS
        ? [finding('device_slept', at.monotonic, { durationMs: Math.round(gap) })]
        : [];
    }
    if (gap > HIDDEN_GAP_MS) this.#slept = true;
    return this.#left(this.#since, at, SLEEP_MAY_COME_MS);
  }

  shown(at: Moment): Finding[] {
    const since = this.#since;
    if (since === null) return [];
    const found = [...this.tick(at), ...this.#left(since, at, 0)];
    this.#since = null;
    if (this.#latest?.toldAs !== 'tab_hidden') {
      const length = Math.round(gapBetween(since, at));
      const type = this.#slept ? 'device_slept' : 'tab_hidden_briefly';
      found.push(finding(type, at.monotonic, { durationMs: length }));
      this.#tellAs(type);
    }
    if (this.#latest !== null) this.#latest = { ...this.#latest, until: at.monotonic };
    return found;
  }

  /** The violation, once: it happened when the time allowed was over, however late it is told. */
  #left(since: Moment, at: Moment, toleranceMs: number): Finding[] {
    const length = at.monotonic - since.monotonic;
    if (this.#slept || this.#latest?.toldAs === 'tab_hidden') return [];
    if (length <= this.#hiddenMs + toleranceMs) return [];
    this.#tellAs('tab_hidden');
    const happenedAt = since.monotonic + this.#hiddenMs;
    return [finding('tab_hidden', happenedAt, { durationMs: Math.ceil(length) })];
  }

  #tellAs(toldAs: HiddenTime['toldAs']): void {
    if (this.#latest !== null) this.#latest = { ...this.#latest, toldAs };
  }
}

function gapBetween(before: Moment, after: Moment): number {
  return Math.max(after.monotonic - before.monotonic, after.wall - before.wall);
}
