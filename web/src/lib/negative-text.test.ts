import { expect, test } from 'vitest';
import { negativeRuleOf, negativeRules } from './negative-label.ts';

const ofTotal = { percent: 25, floor: 'total' } as const;
const ofQuestion = { percent: 12.5, floor: 'question' } as const;

test('says before the start what wrong answers cost, and what cannot fall below zero', () => {
  expect(negativeRules(ofTotal)).toBe(
    'A wrong answer costs 25% of its points. Where you can select several options, each wrong selection can cost that much, and so can an incomplete one. A blank answer costs nothing, and your total cannot fall below zero.',
  );
  expect(negativeRules(ofQuestion)).toBe(
    'Where you can select several options, each wrong selection can cost 12.5% of the question’s points, but no question counts less than zero. Any other wrong answer earns nothing, like a blank one.',
  );
});

test('says at a question what a wrong answer to it costs, and nothing where it costs nothing', () => {
  for (const type of ['multiple_choice', 'true_false', 'numeric', 'short_text'] as const) {
    expect(negativeRuleOf(type, ofTotal)).toBe(
      'A wrong answer costs 25% of its points. A blank answer costs nothing.',
    );
    expect(negativeRuleOf(type, ofQuestion)).toBeNull();
  }
  expect(negativeRuleOf('multiple_response', ofTotal)).toBe(
    'Each wrong selection can cost 25% of the points, and so can an incomplete one. A blank answer costs nothing.',
  );
  expect(negativeRuleOf('multiple_response', ofQuestion)).toBe(
    'Each wrong selection can cost 12.5% of the points, but the question never counts less than zero.',
  );
});
