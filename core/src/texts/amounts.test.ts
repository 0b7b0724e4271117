import { expect, test } from 'vitest';
import { minutesWithExtra } from '../domain/attempt.ts';
import { durationText } from './amounts.ts';

test.each([
  [1, 1, '1 minute'],
  [60, 1.25, '75 minutes'],
  [60, 1.1, '66 minutes'],
  [30, 1.25, '37 minutes 30 seconds'],
  [60, 1.33, '79 minutes 48 seconds'],
  [1, 1.02, '1 minute 1 second'],
])('%i minutes times %f are %s, as by the clock', (duration, factor, text) => {
  expect(durationText(minutesWithExtra(duration, factor))).toBe(text);
});
