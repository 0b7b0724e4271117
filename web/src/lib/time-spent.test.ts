import { expect, test } from 'vitest';
import { shortId } from './short-id.ts';
import { formatTimeSpent, wholeMinutes } from './time-spent.ts';

test.each([
  [-5, '0m 0s'],
  [0, '0m 0s'],
  [59, '0m 59s'],
  [60, '1m 0s'],
  [396, '6m 36s'],
  [7_205, '120m 5s'],
])('%i seconds read %s', (seconds, expected) => {
  expect(formatTimeSpent(seconds)).toBe(expected);
});

test('top scorers show floored minutes', () => {
  expect([0, 59, 60, 1_079].map(wholeMinutes)).toEqual([0, 0, 1, 17]);
});

test('a short id is the last eight characters, not the clock at the front', () => {
  expect(shortId('019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2')).toBe('7f3a91c2');
});
