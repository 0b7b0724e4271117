/** milliseconds; product 8 */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * How long to wait after the n-th failure in a row (0 = first). Randomized over the whole range, so
 * that many browsers do not retry at the same moment after a server restart.
 *
 * @param random in [0, 1)
 * @param retryAfterMs the server's Retry-After, a lower bound
 */
export function retryDelayMs(
  failures: number,
  random: number,
  retryAfterMs: number | null,
): number {
  const ceiling = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(failures, 10));
  const delay = SHORTEST_MS + random * (ceiling - SHORTEST_MS);
  if (retryAfterMs === null) return Math.round(delay);
  // Retry-After is the same for all clients: add up to a second of jitter.
  return Math.round(retryAfterMs + random * SHORTEST_MS);
}
