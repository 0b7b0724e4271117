import { expect, test } from 'vitest';
import { plausibleTimeSpent, timeTaken } from './time-taken.ts';

test.each([
  [0, '0 minutes'],
  [-3, '0 minutes'],
  [41, '0 minutes 41 seconds'],
  [1_241, '20 minutes 41 seconds'],
  [10_800, '180 minutes 0 seconds'],
])('%d seconds', (seconds, text) => {
  expect(timeTaken(seconds)).toBe(text);
});

test('replaces a time of 0 or less, or above 7200 s, by 120 s', () => {
  expect([-1, 0, 1, 7_200, 7_201].map(plausibleTimeSpent)).toEqual([120, 120, 1, 7_200, 120]);
});
