/** What a candidate does next, and when; milliseconds since the begin of the round. */
export interface Arrival {
  at: number;
  what: 'save' | 'late-copy' | 'report' | 'heartbeat';
}

/** Of a hundred actions of a candidate. */
const SHARES: [Arrival['what'], number][] = [
  ['save', 80],
  ['late-copy', 8],
  ['report', 4],
  ['heartbeat', 8],
];

/**
 * When one candidate does what: fixed before the round begins, so that a server that is away delays
 * no one's next action. Gaps are exponential, as those of people who do not know of each other.
 *
 * @param random numbers in [0, 1)
 */
export function arrivals(random: () => number, perSecond: number, lastsMs: number): Arrival[] {
  const found: Arrival[] = [];
  for (let at = gap(random, perSecond); at < lastsMs; at += gap(random, perSecond)) {
    found.push({ at, what: choose(random() * 100) });
  }
  return found;
}

function gap(random: () => number, perSecond: number): number {
  return (-Math.log(1 - random()) / perSecond) * 1_000;
}

function choose(ticket: number): Arrival['what'] {
  let left = ticket;
  for (const [what, share] of SHARES) {
    if (left < share) return what;
    left -= share;
  }
  return 'save';
}
