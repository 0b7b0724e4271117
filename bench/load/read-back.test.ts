import { expect, it } from 'vitest';
import { lostAnswers } from './read-back.ts';

const QUESTIONS = ['q1', 'q2'];
const row = (questionId: string, revision: number, letter: string) => ({
  participantId: 'p',
  questionId,
  revision,
  letter,
});
const acknowledged = (revisions: number[]) => [{ participantId: 'p', revisions }];

it.each([
  ['nothing is stored', [], 'question 1: revision 5 was acknowledged, nothing is stored'],
  [
    'an older one is stored',
    [row('q1', 4, 'A')],
    'question 1: revision 5 was acknowledged, 4 is stored',
  ],
  [
    'another option is stored under the same revision',
    [row('q1', 5, 'C')],
    'question 1: revision 5 selected B, C is stored',
  ],
])('reports an acknowledged answer as lost when %s', (_, stored, expected) => {
  expect(lostAnswers(acknowledged([5, 0]), QUESTIONS, stored)).toEqual([`p, ${expected}`]);
});

it('reports no loss when the newest one is stored, or an unacknowledged newer one', () => {
  const stored = [row('q1', 5, 'B'), row('q2', 8, 'A')];
  expect(lostAnswers(acknowledged([5, 7]), QUESTIONS, stored)).toEqual([]);
});
