import {
  isSeveralChoice,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';

/** The deduction for wrong answers, for candidates before they start. */
export function negativeRules({ percent, floor }: NegativeMarks): string {
  return floor === 'total'
    ? `A wrong answer costs ${percent}% of its points. Where you can select several options, each wrong selection can cost that much, and so can an incomplete one. A blank answer costs nothing, and your total cannot fall below zero.`
    : `Where you can select several options, each wrong selection can cost ${percent}% of the question’s points, but no question counts less than zero. Any other wrong answer earns nothing, like a blank one.`;
}

/**
 * The same at one question. `null` where a wrong answer earns nothing and costs nothing: one selection or
 * a typed answer, where no question can count less than zero.
 */
export function negativeRuleOf(
  type: QuestionType,
  { percent, floor }: NegativeMarks,
): string | null {
  const isSeveral = isSeveralChoice(type);
  if (floor === 'question') {
    return isSeveral
      ? `Each wrong selection can cost ${percent}% of the points, but the question never counts less than zero.`
      : null;
  }
  return isSeveral
    ? `Each wrong selection can cost ${percent}% of the points, and so can an incomplete one. A blank answer costs nothing.`
    : `A wrong answer costs ${percent}% of its points. A blank answer costs nothing.`;
}
