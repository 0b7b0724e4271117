import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS as L } from '../../limits.ts';
import type { OptionDefinition } from '../question-definition.ts';
import { choiceType } from './choice.ts';
import { exampleName } from './rows.ts';

const MESSAGES = {
  weightsTooHigh: () =>
    t('definition.weightsTooHigh', 'The positive weights add up to more than 100 percent'),
  responseTooLong: () =>
    t(
      'definition.optionsTooLong',
      '{max, plural, one {The options have at most # character together} other {The options have at most # characters together}}',
      { max: L.responseMaxCharacters },
    ),
};

export const multipleResponse = choiceType({
  name: () => t(/* a type of question */ 'definition.multipleResponse', 'Multiple response'),
  clean: ({ minSelections, maxSelections }) => ({
    ...(minSelections === undefined ? {} : { minSelections }),
    ...(maxSelections === undefined ? {} : { maxSelections }),
  }),
  problems: ({ options, rule }) => {
    const characters = options.reduce((sum, { text }) => sum + text.length, 0);
    return [
      ...(rule === 'weights' && sumOfPositive(options) > 100 ? [MESSAGES.weightsTooHigh()] : []),
      ...(characters > L.responseMaxCharacters ? [MESSAGES.responseTooLong()] : []),
    ].map((message) => ({ path: 'options', message }));
  },
  isRight: (right, wrong, correct) => wrong === 0 && right === correct,
  examples: (_, right, wrong) => {
    const some = right.length > 1 ? right.slice(0, -1) : right;
    const selected = [...some, ...wrong.slice(0, 1)].map(({ text }) => text);
    const name =
      wrong.length > 0
        ? t(
            /* selected options in an example of a scoring rule */ 'definition.exampleWithWrong',
            '{some} of {all} right and 1 wrong',
            { some: some.length, all: right.length },
          )
        : exampleName(some.length, right.length);
    return [{ name, answer: JSON.stringify(selected) }];
  },
});

function sumOfPositive(options: readonly OptionDefinition[]): number {
  const parts = options.reduce(
    (sum, { weight = 0 }) => sum + Math.max(0, Math.round(weight * 1e5)),
    0,
  );
  // Thirds with five decimals may add up to a little more, as in other systems: 33.33334 three times.
  return parts <= 10_000_100 ? Math.min(100, parts / 1e5) : parts / 1e5;
}
