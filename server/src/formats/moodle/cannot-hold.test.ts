import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, it } from 'vitest';
import { xmlCannotHold } from './cannot-hold.ts';

const weighted = (...weights: number[]): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: 'Q',
  options: weights.map((weight, i) => ({ text: `${i}`, isCorrect: weight > 0, weight })),
  points: 1,
  rule: 'weights',
});

it('Moodle takes the grades of its list only, which is said before an export', () => {
  expect(xmlCannotHold(weighted(33.33333, 66.66667, -16.66666))).toEqual([]);
  expect(xmlCannotHold(weighted(85, 15))).toEqual([
    'Moodle has no grade of 85 %. When you import the file there, select “Nearest grade if not listed”.',
  ]);
});

it('Moodle needs an option with all points where one is selected', () => {
  expect(xmlCannotHold({ ...weighted(80, 50), type: 'multiple_choice' })).toEqual([
    'Moodle needs an option that earns all points.',
  ]);
});
