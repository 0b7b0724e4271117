/** milliseconds; product 8 and the brief of the answer path */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * How long to wait after the n-th failure in a row (0 = first). Spread over the whole range, so that
 * a hall of browsers does not come back in the same moment after a restart of the server.
 *
 * @param random in [0, 1)
 * @param retryAfterMs what the server asked for; waited at least, whatever the range says
 */
export function retryDelayMs(
  failures: number,
  random: number,
  retryAfterMs: number | null,
): number {
  const ceiling = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(failures, 10));
  const delay = SHORTEST_MS + random * (ceiling - SHORTEST_MS);
  if (retryAfterMs === null) return Math.round(delay);
  // The asked-for moment is the same for everybody who was asked: a second of spread on top.
  return Math.round(retryAfterMs + random * SHORTEST_MS);
}
