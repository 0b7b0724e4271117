/** Quality of the connection to the server, from a few requests. */
export type Connection =
  | { kind: 'checking' }
  | { kind: 'good' | 'slow'; roundTripMs: number }
  | { kind: 'unreachable' };

/** Above this, saving an answer feels slow. */
const SLOW_MS = 1_000;
const REQUESTS = 3;

/**
 * Measures a few requests in sequence and takes the median: the first one opens the connection, and
 * one may be slow by chance.
 *
 * @param ask one small request; rejects without a response
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
