/** How this device reaches the server, as far as a few requests can tell. */
export type Connection =
  | { kind: 'checking' }
  | { kind: 'good' | 'slow'; roundTripMs: number }
  | { kind: 'unreachable' };

/** Above this, saving an answer is felt as waiting. */
const SLOW_MS = 1_000;
const REQUESTS = 3;

/**
 * Measures a few requests, one after the other, and takes the middle one: the first opens the line
 * and one may be held up by chance.
 *
 * @param ask one small request; rejects when there is no answer
 * @param now milliseconds, monotonic
 */
export async function measureConnection(
  ask: () => Promise<unknown>,
  now: () => number,
): Promise<Connection> {
  const times: number[] = [];
  try {
    for (let i = 0; i < REQUESTS; i += 1) {
      const began = now();
      await ask();
      times.push(now() - began);
    }
  } catch {
    return { kind: 'unreachable' };
  }
  const roundTripMs = Math.round(times.sort((a, b) => a - b)[Math.floor(REQUESTS / 2)] ?? 0);
  return { kind: roundTripMs > SLOW_MS ? 'slow' : 'good', roundTripMs };
}
