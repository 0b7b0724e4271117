import { expect, test } from 'vitest';
import { timeTaken } from './time-taken.ts';

test.each([
  [0, '0 minutes'],
  [-3, '0 minutes'],
  [41, '0 minutes 41 seconds'],
  [1_241, '20 minutes 41 seconds'],
  [10_800, '180 minutes 0 seconds'],
])('%d seconds', (seconds, text) => {
  expect(timeTaken(seconds)).toBe(text);
});
