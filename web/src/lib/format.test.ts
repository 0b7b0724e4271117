import { describe, expect, test } from 'vitest';
import { formatAgo, formatTimeSpent, scoreText } from './format.ts';

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
  [{ score: 12, totalMarks: 25 }, '12 of 25'],
  [{ score: null, totalMarks: 25 }, null],
  [{ score: 12, totalMarks: null }, '12'],
  [{ score: 3, totalMarks: 5, points: 12.5, maxPoints: 20 }, '12.5 / 20 points'],
  [{ score: 0, totalMarks: 5, points: 0, maxPoints: 20 }, '0 / 20 points'],
  [{ score: null, totalMarks: 5, points: null, maxPoints: 20 }, null],
])('the score of %o is %s', (row, words) => {
  expect(scoreText(row, ' of ')).toBe(words);
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
