/** An action of a candidate; `at` in milliseconds since the start of the round. */
export interface Arrival {
  at: number;
  what: 'save' | 'late-copy' | 'report' | 'heartbeat';
}

/** Percentages of a candidate's actions. */
const SHARES: [Arrival['what'], number][] = [
  ['save', 80],
  ['late-copy', 8],
  ['report', 4],
  ['heartbeat', 8],
];

/**
 * The schedule of one candidate, fixed before the round begins, so that an unavailable server does not
 * delay later actions. Gaps are exponential, as for independent people.
 *
 * @param random numbers in [0, 1)
 */
export function arrivals(random: () => number, perSecond: number, lastsMs: number): Arrival[] {
  const found: Arrival[] = [];
  for (let at = gap(random, perSecond); at < lastsMs; at += gap(random, perSecond)) {
    found.push({ at, what: actionOf(random() * 100) });
  }
  return found;
}

function gap(random: () => number, perSecond: number): number {
  return (-Math.log(1 - random()) / perSecond) * 1_000;
}

function actionOf(ticket: number): Arrival['what'] {
  let left = ticket;
  for (const [what, share] of SHARES) {
    if (left < share) return what;
    left -= share;
  }
  return 'save';
}
