import { expect, it } from 'vitest';
import { presentDrawn, type ShownDetails } from './present.ts';

const shown = (details: ShownDetails | null, maxPoints: number | null) =>
  presentDrawn(
    'quiz',
    {
      position: 1,
      questionId: 'question',
      optionOrder: [1],
      content: { question: 'Which?', textOf: new Map([[1, 'a']]), details },
    },
    { sections: null, maxPoints },
  ).points;
const details: ShownDetails = {
  type: 'multiple_choice',
  format: 'markdown',
  hasUnits: false,
  items: 0,
  points: 2,
};

it('shows points on all questions of a paper or on none, 1 for a plain one', () => {
  expect([shown(null, 30_000), shown(details, 30_000)]).toEqual([1, 2]);
  expect([shown(null, null), shown(details, null)]).toEqual([undefined, undefined]);
});
