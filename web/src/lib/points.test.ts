import { expect, test } from 'vitest';
import { pointsWords, scoreWords } from './format.ts';

test.each([
  [1, '1 point'],
  [0.5, '0.5 points'],
  [20, '20 points'],
])('%d is %s', (points, words) => {
  expect(pointsWords(points)).toBe(words);
});

test.each([
  [{ score: 12, totalMarks: 25 }, '12 of 25'],
  [{ score: null, totalMarks: 25 }, null],
  [{ score: 12, totalMarks: null }, '12'],
  [{ score: 3, totalMarks: 5, points: 12.5, maxPoints: 20 }, '12.5 / 20 points'],
  [{ score: 0, totalMarks: 5, points: 0, maxPoints: 20 }, '0 / 20 points'],
  [{ score: null, totalMarks: 5, points: null, maxPoints: 20 }, null],
])('the score of %o is %s', (row, words) => {
  expect(scoreWords(row, ' of ')).toBe(words);
});
