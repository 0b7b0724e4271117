import { expect, test } from 'vitest';
import { timeTaken } from './outcome-texts.ts';

test.each([
  [0, '0 minutes'],
  [-3, '0 minutes'],
  [41, '0 minutes 41 seconds'],
  [60, '1 minutes 0 seconds'],
  [121, '2 minutes 1 seconds'],
  [1_241, '20 minutes 41 seconds'],
  [10_800, '180 minutes 0 seconds'],
])('%d seconds', (seconds, text) => {
  expect(timeTaken(seconds)).toBe(text);
});
