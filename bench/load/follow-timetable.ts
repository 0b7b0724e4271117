/** A later response is lost: the server responds within 15 s or not at all. */
const WAIT_FOR_LAST_MS = 30_000;

/** Counts scheduled requests without a response. */
export class Open {
  #open = 0;
  #whenNone: (() => void) | undefined;

  add(): void {
    this.#open += 1;
  }

  done(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#whenNone?.();
  }

  /** Resolves when all are answered, or after a timeout. */
  async none(): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WAIT_FOR_LAST_MS);
      this.#whenNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Runs each entry at its moment, regardless of earlier ones: an open loop, like independent people.
 * Resolves after the last one with the largest delay of a start.
 *
 * @param at milliseconds since the start, in order
 * @param act gets the scheduled moment in ms of the monotonic clock
 */
export function followTimetable(
  at: Float64Array,
  act: (entry: number, scheduled: number) => void,
): Promise<{ latestMs: number }> {
  const begin = performance.now();
  let next = 0;
  let latestMs = 0;
  return new Promise((resolve, reject) => {
    const tick = () => {
      try {
        for (; next < at.length; next += 1) {
          const scheduled = begin + (at[next] ?? 0);
          const late = performance.now() - scheduled;
          if (late < 0) break;
          latestMs = Math.max(latestMs, late);
          act(next, scheduled);
        }
      } catch (error) {
        return reject(error);
      }
      if (next >= at.length) resolve({ latestMs });
      else setTimeout(tick, Math.max(1, begin + (at[next] ?? 0) - performance.now()));
    };
    tick();
  });
}
