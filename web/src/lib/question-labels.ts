import type { ScoreChange } from '@invigil/core/contract/assessments/questions';
import { numberText } from '@invigil/core/domain/locale';
import {
  isInRows,
  type QuestionDefinition,
  type ScoringRule,
} from '@invigil/core/domain/questions/question-definition';

/** The name of a rule by which a question is scored. */
export function ruleName({ type, rule }: Pick<QuestionDefinition, 'type' | 'rule'>): string {
  return rule === 'per_option' && isInRows(type) ? 'Per item' : SCORING_RULE_NAMES[rule];
}

export const SCORING_RULE_NAMES: Record<ScoringRule, string> = {
  all_or_nothing: 'All or nothing',
  right_minus_wrong: 'Right minus wrong',
  per_option: 'Per option',
  weights: 'Weights',
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

/** "1 question", "3 questions". With the words of a sentence: "3 questions were moved." */
export function questionsText(count: number, one = '', many = '', rest = ''): string {
  const subject = `${numberText(count)} ${count === 1 ? 'question' : 'questions'}`;
  return [subject, count === 1 ? one : many, rest].filter(Boolean).join(' ');
}

/** How a rescoring changed a result: "12 to 13 of 25", or "11.5 to 12.5 / 20 points". */
export function changeText(change: Omit<ScoreChange, 'participantId' | 'userEmail'>): string {
  const { before, after, totalMarks, pointsBefore, pointsAfter, maxPoints } = change;
  if (maxPoints === undefined) return `${before} to ${after} of ${totalMarks}`;
  const most = change.maxPointsBefore === undefined ? '' : ` / ${change.maxPointsBefore}`;
  return `${pointsBefore}${most} to ${pointsAfter} / ${maxPoints} points`;
}
