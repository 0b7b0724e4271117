import type { ScoreChange } from '@invigil/core/contract/assessments/questions';
import type {
  AcceptedNumber,
  QuestionDefinition,
  QuestionType,
  ScoringRule,
} from '@invigil/core/domain/questions/question-definition';

export const QUESTION_TYPE_NAMES: Record<QuestionType, string> = {
  multiple_choice: 'Single choice',
  multiple_response: 'Multiple response',
  true_false: 'True or false',
  numeric: 'Number',
  short_text: 'Short text',
};

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

/** "3.14", "3 to 4", "9.81 m/s² (±1%), 50% of the points": what is accepted as a typed answer. */
export function acceptedText({ numeric, shortText }: QuestionDefinition): string[] {
  return [
    ...(numeric?.accepted ?? []).map((one) => withWeight(numberText(one), one.weight)),
    ...(shortText?.accepted ?? []).map((one) => withWeight(one.text, one.weight)),
  ];
}

/** Further rules for a typed answer: units, case and white space. */
export function typedRuleText({ numeric, shortText }: QuestionDefinition): string[] {
  const units = numeric?.units
    ?.map(({ unit, factor }) => (factor === '1' ? unit : `${unit} (× ${factor})`))
    .join(', ');
  return [
    ...(units ? [`Units: ${units}${numeric?.isUnitRequired ? ' (required)' : ''}`] : []),
    ...(shortText?.isCaseSensitive ? ['Upper and lower case count'] : []),
    ...(shortText?.isSpaceExact ? ['Spaces count'] : []),
  ];
}

function numberText(accepted: AcceptedNumber): string {
  if ('min' in accepted) return `${accepted.min} to ${accepted.max}`;
  return 'tolerancePercent' in accepted
    ? `${accepted.value} (±${accepted.tolerancePercent}%)`
    : accepted.value;
}

function withWeight(words: string, weight: number | undefined): string {
  return weight === undefined || weight === 100 ? words : `${words}, ${weight}% of the points`;
}

/** "1 question", "3 questions". With the words of a sentence: "3 questions were moved." */
export function questionsText(count: number, one = '', many = '', rest = ''): string {
  const subject = `${count.toLocaleString('en-GB')} ${count === 1 ? 'question' : 'questions'}`;
  return [subject, count === 1 ? one : many, rest].filter(Boolean).join(' ');
}

/** How a rescoring changed a result: "12 to 13 of 25", or "11.5 to 12.5 / 20 points". */
export function changeText(change: Omit<ScoreChange, 'participantId' | 'userEmail'>): string {
  const { before, after, totalMarks, pointsBefore, pointsAfter, maxPoints } = change;
  if (maxPoints === undefined) return `${before} to ${after} of ${totalMarks}`;
  const most = change.maxPointsBefore === undefined ? '' : ` / ${change.maxPointsBefore}`;
  return `${pointsBefore}${most} to ${pointsAfter} / ${maxPoints} points`;
}
