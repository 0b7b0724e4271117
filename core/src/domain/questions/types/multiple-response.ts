import { QUESTION_LIMITS as L } from '../../limits.ts';
import { numberText } from '../../locale.ts';
import type { OptionDefinition } from '../question-definition.ts';
import { choiceType } from './choice.ts';

const MESSAGES = {
  weightsTooHigh: 'The positive weights add up to more than 100 percent',
  responseTooLong: `The options have at most ${numberText(L.responseMaxCharacters)} characters together`,
} as const;

export const multipleResponse = choiceType({
  name: 'Multiple response',
  clean: ({ minSelections, maxSelections }) => ({
    ...(minSelections === undefined ? {} : { minSelections }),
    ...(maxSelections === undefined ? {} : { maxSelections }),
  }),
  problems: ({ options, rule }) => {
    const characters = options.reduce((sum, { text }) => sum + text.length, 0);
    return [
      ...(rule === 'weights' && sumOfPositive(options) > 100 ? [MESSAGES.weightsTooHigh] : []),
      ...(characters > L.responseMaxCharacters ? [MESSAGES.responseTooLong] : []),
    ].map((message) => ({ path: 'options', message }));
  },
  isRight: (right, wrong, correct) => wrong === 0 && right === correct,
  examples: (_, right, wrong) => {
    const some = right.length > 1 ? right.slice(0, -1) : right;
    const selected = [...some, ...wrong.slice(0, 1)].map(({ text }) => text);
    const name = `${some.length} of ${right.length} right${wrong.length > 0 ? ' and 1 wrong' : ''}`;
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
