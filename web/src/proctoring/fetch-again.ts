/** Between the tries; the last one repeats. */
const PAUSES_MS = [2_000, 8_000, 20_000] as const;

/**
 * Fetches code until it is here: a network that drops for a moment must not leave an attempt without
 * monitoring. `null` once it is not wanted any more. `onFailure` is called for the first failure.
 */
export async function fetchAgain<T>(
  fetch: () => Promise<T>,
  isWanted: () => boolean,
  onFailure: (cause: unknown) => void,
): Promise<T | null> {
  for (let failures = 0; isWanted(); failures += 1) {
    try {
      return await fetch();
    } catch (cause) {
      if (failures === 0) onFailure(cause);
      const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}
