import { SnapshotStore } from '../lib/snapshot.ts';
import { pauseUntilOnline } from '../net/retry.ts';

/** Pauses between tries; the last one repeats. */
const PAUSES_MS = [2_000, 8_000, 20_000] as const;
/** After this many failures online, assume a browser that caches failed module fetches. */
const HOPELESS_TRIES = 3;

/** How many pieces of code a page waits for. */
export class MissingCode extends SnapshotStore<{ missing: number }> {
  change(by: 1 | -1): void {
    this.update({ missing: this.snapshot.missing + by });
  }
}

/**
 * Code that cannot be fetched although the browser is online. Browsers may cache a failed module
 * fetch until the page is loaded again (whatwg/html#6768): only a reload helps there.
 */
export const missingCode = new MissingCode({ missing: 0 });

/**
 * Retries until the code is fetched: a short network outage must not leave an attempt without
 * monitoring. Resolves to `null` once it is no longer wanted. `onFailure` gets the first failure only.
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
        const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
        await pauseUntilOnline(pause);
      }
    }
    return null;
  } finally {
    if (triesOnline >= HOPELESS_TRIES) missingCode.change(-1);
  }
}
