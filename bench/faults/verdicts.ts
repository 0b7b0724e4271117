import type { Counterexample } from './checks/counterexample.ts';
import { PROMISES, sum } from './promises.ts';
import type { Observed } from './round.ts';

/** The verdict on one promise over all rounds. */
export interface Verdict {
  promise: string;
  /** How often it was tested, or the worst figure. */
  figure: string;
  /** An untested promise is neither kept nor broken. */
  isTested: boolean;
  /** Smallest first; none where the promise was kept. */
  counterexamples: Counterexample[];
}

/** Evaluates every promise by the rounds that tested it. */
export function evaluate(rounds: readonly Observed[]): Verdict[] {
  return PROMISES.map(({ promise, find, count, of }) => {
    const testing = rounds.filter((round) => count(round) > 0);
    return {
      promise,
      figure: `${sum(testing, count)} ${of(rounds)}`,
      isTested: testing.length > 0,
      counterexamples: testing.flatMap(find),
    };
  });
}
