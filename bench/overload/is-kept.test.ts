import { expect, it } from 'vitest';
import { isKept } from './is-kept.ts';

const RUN = { ratio: 5, limit: 5, ratioAfter: 2, troubled: 0, moved: 0, overdue: 0 };

it.each([
  ['saves took longer than the limit', { ratio: 5.01 }],
  ['saves took a figure that is none', { ratio: Number.NaN }],
  ['saves were still slow after it', { ratioAfter: 2.01 }],
  ['an honest request was in trouble', { troubled: 1 }],
  ['an end was moved', { moved: 1 }],
  ['an attempt was left open', { overdue: 1 }],
])('is not kept where, under one attack, %s', (_, change) => {
  expect(isKept({ runs: [RUN, { ...RUN, ...change }, RUN], killed: [] })).toBe(false);
});

it('is not kept where a process was ended, nor where nothing was played', () => {
  expect(isKept({ runs: [RUN], killed: ['a serving process hung'] })).toBe(false);
  expect(isKept({ runs: [], killed: [] })).toBe(false);
});

it('is kept at the limits', () => {
  expect(isKept({ runs: [RUN, RUN], killed: [] })).toBe(true);
});
