import { figureText } from '@invigil/core/domain/locale';
import {
  isSeveralChoice,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import { t } from '@invigil/core/texts/i18n';

/** The deduction for wrong answers, for candidates before they start. */
export function negativeRules({ percent, floor }: NegativeMarks): string {
  return floor === 'total'
    ? t(
        'wrongAnswers.all.total',
        'A wrong answer costs {percent}% of its points. Where you can select several options, each wrong selection can cost that much, and so can an incomplete one. A blank answer costs nothing, and your total cannot fall below zero.',
        { percent: figureText(percent) },
      )
    : t(
        'wrongAnswers.all.question',
        'Where you can select several options, each wrong selection can cost {percent}% of the question’s points, but no question counts less than zero. Any other wrong answer earns nothing, like a blank one.',
        { percent: figureText(percent) },
      );
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
      ? t(
          'wrongAnswers.several.question',
          'Each wrong selection can cost {percent}% of the points, but the question never counts less than zero.',
          { percent: figureText(percent) },
        )
      : null;
  }
  return isSeveral
    ? t(
        'wrongAnswers.several.total',
        'Each wrong selection can cost {percent}% of the points, and so can an incomplete one. A blank answer costs nothing.',
        { percent: figureText(percent) },
      )
    : t(
        'wrongAnswers.one.total',
        'A wrong answer costs {percent}% of its points. A blank answer costs nothing.',
        { percent: figureText(percent) },
      );
}
