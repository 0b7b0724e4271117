/** An answer that has not come by then is lost: the server answers within 15 s or not at all. */
const WAIT_FOR_LAST_MS = 30_000;

/** What is scheduled and not answered yet. */
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

  /** Resolves when all are answered, or when that has taken too long. */
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
 * Does each entry at its moment, whatever became of the ones before: an open loop, as people are who
 * do not know of each other. Resolves after the last one with how late the latest was begun.
 *
 * @param at milliseconds since the begin, in order
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
