import { describe, expect, test } from 'vitest';
import { formatAgo, formatTimeSpent } from './format.ts';

describe('dates on screens', () => {
  const noon = new Date(2026, 4, 14, 12, 5).toISOString();

  test.each([
    [-30_000, 'just now'],
    [59_000, 'just now'],
    [60_000, '1 min ago'],
    [59 * 60_000, '59 min ago'],
    [2 * 3_600_000, '2 hr ago'],
    [24 * 3_600_000, '1 day ago'],
  ])('%i ms before now: %s', (before, expected) => {
    const now = Date.parse(noon);
    expect(formatAgo(new Date(now - before).toISOString(), now)).toBe(expected);
  });
});

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
