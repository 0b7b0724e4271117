import { expect, it } from 'vitest';
import { isKept } from './is-kept.ts';

const round = (duringMs: number) => ({ beforeMs: 100, duringMs, afterMs: 100 });
const RUN = {
  ratio: 5,
  limit: 5,
  ratioAfter: 2,
  rounds: [round(500)],
  troubled: 0,
  moved: 0,
  overdue: 0,
};

it.each([
  ['saves took longer than the limit', { ratio: 5.01 }],
  ['the ratio is not a number', { ratio: Number.NaN }],
  ['saves took longer than half a second', { limit: null, rounds: [round(501)] }],
  ['saves were still slow afterwards', { ratioAfter: 2.01 }],
  ['an honest request failed', { troubled: 1 }],
  ['an end was moved', { moved: 1 }],
  ['an attempt was left open', { overdue: 1 }],
])('is false where, under one attack, %s', (_, change) => {
  expect(isKept({ runs: [RUN, { ...RUN, ...change }, RUN], killed: [] })).toBe(false);
});

it('is false where a process was killed or no attack ran', () => {
  expect(isKept({ runs: [RUN], killed: ['a serving process hung'] })).toBe(false);
  expect(isKept({ runs: [], killed: [] })).toBe(false);
});

it('is true at the limits', () => {
  expect(isKept({ runs: [RUN, RUN], killed: [] })).toBe(true);
});
