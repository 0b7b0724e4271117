/** Between the tries; the last one repeats. */
const PAUSES_MS = [2_000, 8_000, 20_000] as const;
/** Tries with a network, after which a browser that remembers failed fetches will not get it. */
const HOPELESS_TRIES = 3;

/**
 * Code that does not come although there is a network. Browsers remembered for years that a module
 * could not be fetched, until the page is loaded again (whatwg/html#6768): only a reload helps there.
 */
class MissingCode {
  readonly #listeners = new Set<() => void>();
  #missing = 0;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether something is missing now. */
  getSnapshot = (): boolean => this.#missing > 0;

  change(by: 1 | -1): void {
    this.#missing += by;
    for (const listener of this.#listeners) listener();
  }
}

/** The one of this page. */
export const missingCode = new MissingCode();

/**
 * Fetches code until it is here: a network that drops for a moment must not leave an attempt without
 * monitoring. `null` once it is not wanted any more. `onFailure` is called for the first failure.
 */
export async function fetchAgain<T>(
  fetch: () => Promise<T>,
  isWanted: () => boolean,
  onFailure: (cause: unknown) => void,
): Promise<T | null> {
  let triesOnline = 0;
  try {
    for (let failures = 0; isWanted(); failures += 1) {
      try {
        return await fetch();
      } catch (cause) {
        if (failures === 0) onFailure(cause);
        if (navigator.onLine) {
          triesOnline += 1;
          if (triesOnline === HOPELESS_TRIES) missingCode.change(1);
        }
        const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return null;
  } finally {
    if (triesOnline >= HOPELESS_TRIES) missingCode.change(-1);
  }
}
