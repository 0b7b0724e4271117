import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** How one kind of request went. Times are from the scheduled moment to the whole answer. */
export interface KindFigures {
  /** Answered as asked. */
  ok: number;
  /** Answered with 4xx. */
  refused: number;
  /** Answered with 5xx. */
  failed: number;
  /** Without a whole answer: the line broke, or nothing came in time. */
  unanswered: number;
  /** The first thing that went wrong, for the reader. */
  firstTrouble: string | null;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  longestMs: number;
  /** The p99 of those that were scheduled in the first ten seconds, the next ten, and so on. */
  p99MsByTenSeconds: number[];
}

const HIGHEST_MICROS = 600_000_000;

const TEN_SECONDS_MS = 10_000;

/** Node's own HDR histogram, in microseconds, to three figures. */
const newHistogram = () => createHistogram({ lowest: 1, highest: HIGHEST_MICROS, figures: 3 });

/** Counts the answers of one kind of request. */
export class Latencies {
  readonly #histogram = newHistogram();
  readonly #tenSeconds: RecordableHistogram[] = [];
  #ok = 0;
  #refused = 0;
  #failed = 0;
  #unanswered = 0;
  #firstTrouble: string | null = null;

  /**
   * An answer, `ms` after its scheduled moment. One that was refused took its time as well.
   *
   * @param sinceMs the scheduled moment, since the part began
   */
  answered(status: number, ms: number, text: () => string, sinceMs = 0): void {
    this.#record(ms, sinceMs);
    if (status < 300) this.#ok += 1;
    else {
      if (status < 500) this.#refused += 1;
      else this.#failed += 1;
      this.#firstTrouble ??= text();
    }
  }

  /** It never came; `ms` is how long it was waited for, which is less than it would have taken. */
  lost(why: string, ms: number, sinceMs = 0): void {
    this.#record(ms, sinceMs);
    this.#unanswered += 1;
    this.#firstTrouble ??= why;
  }

  #record(ms: number, sinceMs: number): void {
    const micros = Math.min(HIGHEST_MICROS, Math.max(1, Math.round(ms * 1_000)));
    const window = Math.max(0, Math.floor(sinceMs / TEN_SECONDS_MS));
    while (this.#tenSeconds.length <= window) this.#tenSeconds.push(newHistogram());
    this.#histogram.record(micros);
    this.#tenSeconds[window]?.record(micros);
  }

  figures(): KindFigures {
    const none = this.#histogram.count === 0;
    const ms = (micros: number) => (none ? 0 : micros / 1_000);
    return {
      ok: this.#ok,
      refused: this.#refused,
      failed: this.#failed,
      unanswered: this.#unanswered,
      firstTrouble: this.#firstTrouble,
      p50Ms: ms(this.#histogram.percentile(50)),
      p99Ms: ms(this.#histogram.percentile(99)),
      p999Ms: ms(this.#histogram.percentile(99.9)),
      longestMs: ms(this.#histogram.max),
      p99MsByTenSeconds: this.#tenSeconds.map((h) =>
        h.count === 0 ? 0 : h.percentile(99) / 1_000,
      ),
    };
  }
}
