import { expect, test } from 'vitest';
import { formatTimeSpent, shortId, wholeMinutes } from './format.ts';

test.each([
  [-5, '0m 0s'],
  [0, '0m 0s'],
  [59, '0m 59s'],
  [60, '1m 0s'],
  [396, '6m 36s'],
  [7_205, '120m 5s'],
])('formats %i seconds as %s', (seconds, expected) => {
  expect(formatTimeSpent(seconds)).toBe(expected);
});

test('rounds minutes of top scorers down', () => {
  expect([0, 59, 60, 1_079].map(wholeMinutes)).toEqual([0, 0, 1, 17]);
});

test('shortens an id to its last eight characters, without the timestamp', () => {
  expect(shortId('019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2')).toBe('7f3a91c2');
});
