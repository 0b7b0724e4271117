import { expect, test } from 'vitest';
import { scoreText } from './score-text.ts';

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
