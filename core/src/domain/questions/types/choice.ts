import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS as L } from '../../limits.ts';
import { optionLetter } from '../../locale.ts';
import { selectedIdsOf } from '../given-answer.ts';
import {
  type OptionDefinition,
  type QuestionDefinition,
  type QuestionDetails,
  SCORING_RULES,
} from '../question-definition.ts';
import { atMostOptionsText, QUESTION_MESSAGES } from '../question-options.ts';
import type { DefinitionProblem, ExampleAnswer, TypeOfQuestion } from './type-of-question.ts';
import {
  asWhole,
  byWeight,
  type Evaluation,
  FULL,
  isWeight,
  shareOf,
  WEIGHT_PROBLEMS,
  weightOf,
} from './weights.ts';

const MESSAGES = {
  optionBlank: () => t('definition.optionBlank', 'Enter a text for this option'),
  oneCorrect: () => t('definition.oneCorrect', 'Mark one option as correct'),
  selections: () =>
    t(
      'definition.selections',
      'Enter whole numbers from 1 to the number of options, the smaller one first',
    ),
  key: () =>
    t(
      /* so many options are right that no one can select them all, or must select more */ 'definition.selectionsKey',
      'Options cannot have this many selections: the key itself has another number',
    ),
};

/** How a type with options differs from the others. */
interface ChoiceParts
  extends Pick<TypeOfQuestion, 'name' | 'problems'>,
    Partial<Pick<TypeOfQuestion, 'clean' | 'hasFixedOrder' | 'firstOptions'>> {
  /** The problem of a number of options that the type cannot have. */
  countProblem?(options: number): string | null;
  /** Whether a selection is right as a whole, by its right and wrong options and how many are right. */
  isRight(right: number, wrong: number, correct: number): boolean;
  /** Examples of a definition with these right and wrong options. */
  examples(
    definition: QuestionDefinition,
    right: OptionDefinition[],
    wrong: OptionDefinition[],
  ): ExampleAnswer[];
}

/** A type whose answer selects options that the author marks as right or gives weights. */
export function choiceType({
  problems,
  countProblem = () => null,
  isRight,
  examples,
  ...parts
}: ChoiceParts): TypeOfQuestion {
  return {
    rules: SCORING_RULES,
    hasFixedOrder: false,
    isOrderKey: false,
    arrange: (options) => options,
    plainOptions: (options) => [...options],
    keyField: null,
    clean: () => ({}),
    problems: (definition) => [
      ...optionProblems(definition, countProblem(definition.options.length)),
      ...problems(definition),
      ...selectionProblems(definition),
    ],
    isDraft: ({ options }) => !options.some((option) => option.isCorrect),
    evaluate: (details, optionIds, answer) =>
      evaluateSelection(details, optionIds, new Set(selectedIdsOf(answer)), isRight),
    plainKey: () => null,
    acceptedText: () => [],
    keyRules: () => [],
    releasedKey: () => [],
    examples: (definition) => {
      const texts = definition.options.filter(({ text }) => text !== '');
      const right = texts.filter((option) => option.isCorrect || (option.weight ?? 0) > 0);
      const wrong = texts.filter((option) => !right.includes(option));
      return examples(definition, right, wrong);
    },
    ...parts,
  };
}

/** A type whose answer is one option, of which exactly one is right. */
export function singleChoiceType(
  parts: Omit<ChoiceParts, 'problems' | 'isRight' | 'examples'>,
): TypeOfQuestion {
  return choiceType({
    ...parts,
    problems: ({ rule, options }) =>
      rule !== 'weights' && rightCount(options) > 1
        ? [{ path: 'options', message: MESSAGES.oneCorrect() }]
        : [],
    // Any of several right options of a single choice is right, as in other systems.
    isRight: (right, wrong) => wrong === 0 && right === 1,
    examples: ({ rule, options }, right, wrong) => {
      const [best, second] = right.toSorted(byWeight);
      const other = (rule === 'weights' ? second : undefined) ?? wrong[0];
      return [best, other].flatMap((option) =>
        option
          ? {
              name: optionLetter(options.findIndex((o) => o.text === option.text)),
              answer: option.text,
            }
          : [],
      );
    },
  });
}

const rightCount = (options: readonly { isCorrect: boolean }[]) =>
  options.filter((option) => option.isCorrect).length;

function evaluateSelection(
  details: QuestionDetails,
  optionIds: readonly number[],
  selected: ReadonlySet<number>,
  isRight: ChoiceParts['isRight'],
): Evaluation {
  const options = details.options.map((option, i) => ({
    ...option,
    isSelected: selected.has(optionIds[i] ?? 0),
  }));
  const right = options.filter((o) => o.isSelected && o.isCorrect).length;
  const wrong = options.filter((o) => o.isSelected && !o.isCorrect).length;
  const correct = rightCount(options);
  switch (details.rule) {
    case 'all_or_nothing':
      return asWhole(isRight(right, wrong, correct));
    case 'right_minus_wrong': {
      const share = correct === 0 ? 0n : (FULL * BigInt(right - wrong)) / BigInt(correct);
      return { share: share < 0n ? 0n : share, wrong };
    }
    case 'per_option': {
      const asTheKey = options.filter((o) => o.isSelected === o.isCorrect).length;
      return { share: (FULL * BigInt(asTheKey)) / BigInt(options.length), wrong };
    }
    case 'weights': {
      const percent = options.reduce((sum, o) => sum + (o.isSelected ? weightOf(o) : 0n), 0n);
      return { share: shareOf(percent), wrong };
    }
  }
}

function optionProblems(
  { options, rule }: QuestionDefinition,
  countProblem: string | null,
): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const add = (path: string, message: string) => problems.push({ path, message });
  if (options.length < L.optionsMin) add('options', QUESTION_MESSAGES.twoOptions());
  if (options.length > L.richOptionsMax) add('options', atMostOptionsText(L.richOptionsMax));
  if (countProblem !== null) add('options', countProblem);
  const seen = new Set<string>();
  options.forEach(({ text, weight, feedback = '' }, i) => {
    if (text === '') add(`options.${i}.text`, MESSAGES.optionBlank());
    else if (seen.has(text)) add(`options.${i}.text`, QUESTION_MESSAGES.equalOptions());
    if (text.length > L.textMaxCharacters) add(`options.${i}.text`, QUESTION_MESSAGES.tooLong());
    if (feedback.length > L.textMaxCharacters) {
      add(`options.${i}.feedback`, QUESTION_MESSAGES.tooLong());
    }
    if (weight !== undefined && !isWeight(weight)) {
      add(`options.${i}.weight`, WEIGHT_PROBLEMS.weight());
    }
    seen.add(text);
  });
  const isNoneRight = rightCount(options) === 0 && options.some((option) => option.weight !== 0);
  if (rule === 'weights' && isNoneRight) add('options', WEIGHT_PROBLEMS.noPositiveWeight());
  return problems;
}

function selectionProblems({
  minSelections: min,
  maxSelections: max,
  options,
  rule,
}: QuestionDefinition): DefinitionProblem[] {
  const correct = rightCount(options);
  const isCount = (n: number | undefined) =>
    n === undefined || (Number.isInteger(n) && n >= 1 && n <= options.length);
  if (!isCount(min) || !isCount(max) || (min ?? 1) > (max ?? options.length)) {
    return [{ path: 'maxSelections', message: MESSAGES.selections() }];
  }
  const isKeyOut = correct > 0 && (correct < (min ?? 1) || correct > (max ?? options.length));
  return isKeyOut && rule !== 'weights' ? [{ path: 'maxSelections', message: MESSAGES.key() }] : [];
}
