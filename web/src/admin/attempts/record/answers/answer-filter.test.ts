import { expect, test } from 'vitest';
import { recordQuestion } from '../../../../testing/record-rows.ts';
import { answersUnder, outcomeSentence, type RecordQuestion } from './answer-filter.ts';

const question = (position: number, selectedOption: string, isFlagged = false) =>
  recordQuestion({ position, selectedOption, isFlagged, isCorrect: selectedOption === 'B' });

const PAPER = [question(1, 'B'), question(2, 'A'), question(3, ''), question(4, 'B', true)];
const positions = (questions: readonly RecordQuestion[]) => questions.map((q) => q.position);

test('preserves the order of the paper in each filter', () => {
  expect(positions(answersUnder('all', PAPER))).toEqual([1, 2, 3, 4]);
  expect(positions(answersUnder('wrong', PAPER))).toEqual([2]);
  expect(positions(answersUnder('unanswered', PAPER))).toEqual([3]);
  expect(positions(answersUnder('flagged', PAPER))).toEqual([4]);
});

test('does not count an unanswered question as wrong', () => {
  expect(outcomeSentence(PAPER)).toBe('2 correct, 1 wrong, 1 unanswered');
});

test('counts a blank answer as correct where everyone was given the points', () => {
  const given = { ...question(3, ''), isCorrect: true, correction: 'full_points' } as const;
  expect(outcomeSentence([question(1, 'B'), given])).toBe('2 correct, 0 wrong, 0 unanswered');
});
