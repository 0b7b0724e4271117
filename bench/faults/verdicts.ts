import type { Counterexample } from './counterexample.ts';
import { PROMISES, sum } from './promises.ts';
import type { Observed } from './round.ts';

/** What became of one promise over all rounds. */
export interface Verdict {
  promise: string;
  /** What was seen: how often it was put to the test, or the worst figure. */
  figure: string;
  /** Nothing put it to the test: then it is neither kept nor broken. */
  isTested: boolean;
  /** Smallest first; none where the promise was kept. */
  counterexamples: Counterexample[];
}

/** Judges every promise by the rounds that put it to the test. */
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
