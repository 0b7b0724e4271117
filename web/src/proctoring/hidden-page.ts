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
 * Tells a page that was left from one that was hidden for a moment and from a device that slept
 * (product 6). While the page is hidden it is told every tick of its timer: a violation needs a page
 * that was hidden for longer than the policy allows while its timers kept running. Whoever closes
 * the lid sees a locked screen afterwards, so a time with a sleep in it is only recorded.
 */
export class HiddenPage {
  readonly #hiddenMs: number;
  #since: Moment | null = null;
  #last: Moment | null = null;
  #slept = false;
  #told = false;

  constructor(hiddenMs: number) {
    this.#hiddenMs = hiddenMs;
  }

  hidden(at: Moment): void {
    if (this.#since !== null) return;
    this.#since = at;
    this.#last = at;
    this.#slept = false;
    this.#told = false;
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
    const length = at.monotonic - this.#since.monotonic;
    if (this.#slept || this.#told || length <= this.#hiddenMs) return [];
    this.#told = true;
    return [finding('tab_hidden', at.monotonic, { durationMs: Math.ceil(length) })];
  }

  shown(at: Moment): Finding[] {
    const since = this.#since;
    if (since === null) return [];
    const found = this.tick(at);
    this.#since = null;
    if (this.#told) return found;
    const length = Math.round(gapBetween(since, at));
    const type = this.#slept ? 'device_slept' : 'tab_hidden_briefly';
    return [finding(type, at.monotonic, { durationMs: length })];
  }
}

function gapBetween(before: Moment, after: Moment): number {
  return Math.max(after.monotonic - before.monotonic, after.wall - before.wall);
}
