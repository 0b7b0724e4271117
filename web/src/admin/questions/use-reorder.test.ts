import type { Question } from '@invigil/core/contract/assessments/question-list';
import { expect, it } from 'vitest';
import { movedTo } from '../../ui/move-handle.tsx';
import { numbered } from './use-reorder.ts';

it('moves an item to another position', () => {
  expect(movedTo(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(movedTo(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(movedTo(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'b', 'c']);
});

it('numbers moved questions as the server does', () => {
  const question = (id: string, orderNumber: number): Question => ({
    id,
    quizId: 'q',
    type: 'multiple_choice',
    question: 'Q?',
    options: ['x', 'y'],
    correctAnswer: 'x',
    orderNumber,
    version: 1,
  });
  const list = numbered([question('c', 7), question('a', 1), question('b', 3)]);
  expect(list.map(({ id, orderNumber }) => [id, orderNumber])).toEqual([
    ['c', 1],
    ['a', 2],
    ['b', 3],
  ]);
});
