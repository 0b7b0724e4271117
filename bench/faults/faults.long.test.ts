import { expect, it } from 'vitest';
import { describeCounterexample } from './checks/counterexample.ts';
import { evaluate } from './promises.ts';
import { playRound, type RoundSettings } from './round.ts';

/** The short form of `npm run faults`: one server, a few of its faults. */
const SHORT: RoundSettings = {
  seed: 'short',
  apps: 'one',
  candidates: 12,
  leaving: 4,
  perSecond: 5,
  holdMs: 800,
  quietMs: 700,
  faults: [
    'SIGKILL of server and database',
    'replies dropped after the commit',
    'SIGKILL of the database',
    'SIGTERM of a server',
    'connections reset',
    // Last: a server that is killed while it delivers a message leaves it for two minutes.
    'an invitation aborted before its commit',
  ],
};

/** Promises that a busy machine breaks; `npm run faults` evaluates them. */
const TIMING = ['ready again within 10 s', 'answered in time'];

it('every promise is kept while servers, database and connections fail', async () => {
  const tested = evaluate([await playRound(SHORT)]).filter(
    ({ promise, isTested }) => isTested && !TIMING.some((one) => promise.includes(one)),
  );
  const broken = tested.flatMap(({ promise, counterexamples }) =>
    counterexamples
      .slice(0, 1)
      .map((smallest) => [promise, ...describeCounterexample(smallest)].join('\n')),
  );
  expect(broken).toEqual([]);
  expect(tested).toHaveLength(12);
});
