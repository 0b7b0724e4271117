import { expect, it } from 'vitest';
import { type Counterexample, smallestFirst } from './checks/counterexample.ts';
import { attempt, finalState, fixtureHistory, save, stored } from './checks/fixture-history.ts';
import { newNotes } from './checks/notes.ts';
import { evaluate } from './promises.ts';
import type { Observed } from './round.ts';

const quiet: Observed = {
  ...newNotes(),
  ...{ history: [], state: finalState(), faults: [], mailFaults: null },
};
const named = (promise: string, ...rounds: Observed[]) => {
  const found = evaluate(rounds).find((one) => one.promise.includes(promise));
  if (!found) throw new Error(`no promise about ${promise}`);
  return found;
};

it('an untested promise is neither kept nor broken', () => {
  for (const rounds of [[], [quiet]]) {
    const verdicts = evaluate(rounds);
    expect(verdicts.length).toBeGreaterThan(15);
    expect(verdicts.filter(({ isTested }) => isTested)).toEqual([]);
    expect(verdicts.flatMap(({ counterexamples }) => counterexamples)).toEqual([]);
  }
});

it('one broken round among good ones breaks the promise, and figures are summed', () => {
  const history = fixtureHistory([save(1), { ok: { status: 'in_progress' } }]);
  const good = {
    ...quiet,
    history,
    kills: 2,
    state: finalState(attempt({ answers: [stored(1)] })),
  };
  const bad = { ...good, state: finalState(attempt()) };
  expect(named('acknowledged save is lost', good, good)).toMatchObject({
    figure: '2 acknowledged, 4 kills',
    isTested: true,
    counterexamples: [],
  });
  expect(named('acknowledged save is lost', good, bad, good).counterexamples).toHaveLength(1);
});

it('a service that never closes attempts breaks a tested promise', () => {
  const open = attempt({ status: 'in_progress', submittedAt: null, endedAt: [] });
  const verdict = named('abandoned attempts', { ...quiet, state: finalState(open) });
  expect(verdict.figure).toBe('1 abandoned');
  expect(verdict.counterexamples[0]?.what).toBe('an abandoned attempt is still open');
});

it('one start that took more than ten seconds breaks the promise', () => {
  const of = (...readyMs: number[]) => named('ready again', { ...quiet, readyMs });
  expect(of(900, 10_001)).toMatchObject({ figure: '2 starts, the slowest 10.0 s' });
  expect(of(900, 10_001).counterexamples).toHaveLength(1);
  expect(of(900, 9_999).counterexamples).toEqual([]);
});

it('attempts due at once must close within a minute, with one end each', () => {
  const due = (slowestMs: number, endedAt: number[]) =>
    named('due at once', {
      ...quiet,
      state: finalState(attempt({ submissionType: 'auto', submittedAt: 100_000, endedAt })),
      dueAtOnce: { many: 1, slowestMs },
    }).counterexamples;
  expect(due(59_000, [169_000])).toEqual([]);
  expect(due(60_001, [170_001]).map(({ what }) => what)).toEqual([
    'closed 1 ms too late',
    'too slow',
  ]);
  expect(due(1_000, [111_000, 111_000]).map(({ what }) => what)).toEqual(['2 ends']);
});

it('a clock without a measured jump tests nothing', () => {
  const alarms = { log: true, metrics: true, over: true };
  const clock = { whose: 'a server', from: 1_000, to: 9_000, alarms };
  const seen = (seenMs: number) => named('clock', { ...quiet, clocks: [{ ...clock, seenMs }] });
  expect(seen(0).isTested).toBe(false);
  expect(seen(7_200_000)).toMatchObject({ isTested: true, figure: '1 jumps (a server)' });
});

it('sorts counterexamples by number of observations, then by time', () => {
  const counterexample = (what: string, from: number, to: number): Counterexample => ({
    what,
    entries: fixtureHistory([save(1), null], [save(2), null], [save(3), null]).slice(from, to),
    stored: '',
  });
  const all = [
    counterexample('long', 0, 2),
    counterexample('later', 2, 3),
    counterexample('first', 1, 2),
  ];
  expect(smallestFirst(all).map(({ what }) => what)).toEqual(['first', 'later', 'long']);
});
