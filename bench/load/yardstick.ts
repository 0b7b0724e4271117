import { median } from '../statistics.ts';
import { otherShareOf, type ProcessorTime } from './processor-time.ts';

/** Requests a second, and the processor time of one in microseconds; `null` where it was not measured. */
export interface Rate {
  perSecond: number;
  app: number | null;
  postgres: number | null;
  /** Time of the load generator or pgbench. */
  sender: number | null;
  otherShare: number | null;
}

const UNKNOWN = { app: null, postgres: null, sender: null, otherShare: null };

/**
 * The processor time of one request. A negative time is none: what was subtracted, such as the opening of
 * connections, took longer than what was measured.
 */
export function costOf(
  spent: ProcessorTime | undefined,
  requests: number,
  sender: number,
): Omit<Rate, 'perSecond'> {
  if (!spent || requests <= 0) return UNKNOWN;
  const each = [spent.app, spent.postgres, sender].map((micros) => micros / requests);
  if (spent.available <= 0 || each.some((micros) => !(micros >= 0))) return UNKNOWN;
  const [app = 0, postgres = 0] = each;
  return { app, postgres, sender: sender / requests, otherShare: otherShareOf(spent, sender) };
}

/** Below this share of its best, pgbench has collapsed: it measures the scheduler, not the database. */
const COLLAPSED = 0.5;

export interface Yardstick {
  /** With how many clients pgbench was fastest, by the median of the rounds; `null` without pgbench. */
  best: number | null;
  /** The problem with some of its rates, in words; `null`: none. */
  warning: string | null;
}

/** The yardstick is the best that pgbench can do here: with many clients it may fall to nothing. */
export function yardstickOf(rounds: readonly ReadonlyMap<number, Rate>[]): Yardstick {
  const clients = [...(rounds[0]?.keys() ?? [])];
  const rateWith = (n: number) => median(rounds.map((round) => round.get(n)?.perSecond ?? 0));
  const [best, ...others] = clients.toSorted((a, b) => rateWith(b) - rateWith(a));
  if (best === undefined) return { best: null, warning: null };
  const shares = others
    .map((n): [number, number] => [n, rateWith(n) / rateWith(best)])
    .filter(([, share]) => !(share >= COLLAPSED))
    .sort(([a], [b]) => a - b);
  const fallen = shares.map(([n, share]) => `with ${n} to ${share.toFixed(2)}`).join(', ');
  const warning =
    shares.length === 0 ? null : `pgbench fell ${fallen} of its own rate with ${best} clients`;
  return { best, warning };
}

/** The highest share of other programs during any kind of part, each by the median of its rounds. */
export function otherShareIn(kinds: readonly (readonly (Rate | undefined)[])[]): number {
  const shares = kinds.map((rates) => {
    const known = rates.map((rate) => rate?.otherShare ?? null).filter((share) => share !== null);
    return known.length === 0 ? 0 : median(known);
  });
  return Math.max(0, ...shares);
}
