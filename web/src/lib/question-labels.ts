import type { ScoreChange } from '@invigil/core/contract/assessments/questions';
import { figureText } from '@invigil/core/domain/locale';
import {
  isInRows,
  type QuestionDefinition,
  type ScoringRule,
} from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';

/** The name of a rule by which a question is scored. */
export function ruleName({ type, rule }: Pick<QuestionDefinition, 'type' | 'rule'>): string {
  return rule === 'per_option' && isInRows(type)
    ? t(/* a rule of scoring */ 'portal.rule.perItem', 'Per item')
    : SCORING_RULE_NAMES[rule]();
}

export const SCORING_RULE_NAMES: Record<ScoringRule, () => string> = {
  all_or_nothing: () => t(/* a rule of scoring */ 'portal.rule.allOrNothing', 'All or nothing'),
  right_minus_wrong: () =>
    t(/* a rule of scoring */ 'portal.rule.rightMinusWrong', 'Right minus wrong'),
  per_option: () => t(/* a rule of scoring */ 'portal.rule.perOption', 'Per option'),
  weights: () => t(/* a rule of scoring */ 'portal.rule.weights', 'Weights'),
};

/** Whether an option is right, in a plain question or any other. */
export function isRightOption(
  {
    correctAnswer,
    definition,
  }: { correctAnswer: string; definition?: QuestionDefinition | undefined },
  option: string,
): boolean {
  const defined = definition?.options.find((one) => one.text === option);
  return defined ? defined.isCorrect : option === correctAnswer;
}

/** "1 question", "3 questions". */
export const questionsText = (count: number): string =>
  t('portal.questions.count', '{count, plural, one {# question} other {# questions}}', { count });

/** How a rescoring changed a result: "12 to 13 of 25", or "11.5 to 12.5 / 20 points". */
export function changeText(change: Omit<ScoreChange, 'participantId' | 'userEmail'>): string {
  const { before, after, totalMarks, pointsBefore, pointsAfter, maxPoints } = change;
  if (maxPoints === undefined || pointsBefore === undefined || pointsAfter === undefined) {
    return t(
      /* a result before and after it was rescored: "12 to 13 of 25" */ 'portal.rescored.marks',
      '{before} to {after} of {total}',
      { before, after, total: totalMarks },
    );
  }
  const [from, to] = [figureText(pointsBefore), figureText(pointsAfter)];
  const max = figureText(maxPoints);
  return change.maxPointsBefore === undefined
    ? t(
        /* points before and after: "11.5 to 12.5 / 20 points" */ 'portal.rescored.points',
        '{count, plural, one {{before} to {after} / {max} point} other {{before} to {after} / {max} points}}',
        { before: from, after: to, max, count: maxPoints },
      )
    : t(
        /* points before and after, each of their most: "11.5 / 22 to 12.5 / 20 points" */ 'portal.rescored.bothPoints',
        '{count, plural, one {{before} / {maxBefore} to {after} / {max} point} other {{before} / {maxBefore} to {after} / {max} points}}',
        {
          before: from,
          maxBefore: figureText(change.maxPointsBefore),
          after: to,
          max,
          count: maxPoints,
        },
      );
}
