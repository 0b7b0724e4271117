import { t } from '../../../texts/i18n.ts';
import { inPairs, itemsOf, type OfMatching } from '../matching-options.ts';
import type { OptionDefinition } from '../question-definition.ts';
import { rowType } from './rows.ts';
import type { DefinitionProblem } from './type-of-question.ts';

const MESSAGES = {
  twoItems: () => t('definition.twoItems', 'Enter at least two items to match'),
  twoAnswers: () => t('definition.twoAnswers', 'Enter at least two different answers'),
  match: () =>
    t(/* of a matching question: for an item */ 'definition.match', 'Select one of the answers'),
};

/** Each item has one right answer; several can have the same, and further answers can be wrong. */
export const matching = rowType({
  name: () => t(/* a type of question */ 'definition.matching', 'Matching'),
  problems: ({ options }) => problemsOf(options),
  isDraft: ({ options }) => options.some(({ match }) => match === null),
  arrange: arranged,
  plainOptions: (options) =>
    options.map(({ match, ...option }) => ({
      ...option,
      match: match == null ? match : options[match]?.text,
    })),
  longest: ({ options }) => {
    const { items, answers } = sidesOf(options);
    return items.length * Math.max(0, ...answers.map(({ text }) => text.length));
  },
  words: ({ options }) => inPairs(options).map(({ item, answer }) => `${item} → ${answer ?? '?'}`),
  example: ({ options }) => {
    const { answers } = sidesOf(options);
    return inPairs(options).map(({ answer }, i) =>
      i < 2 ? (answers.find(({ text }) => text !== answer)?.text ?? '') : (answer ?? ''),
    );
  },
});

function sidesOf<O extends OfMatching>(options: readonly O[]): { items: O[]; answers: O[] } {
  return {
    items: itemsOf(options),
    answers: options.filter(({ match }) => match === undefined),
  };
}

function problemsOf(options: readonly OptionDefinition[]): DefinitionProblem[] {
  const { items, answers } = sidesOf(options);
  return [
    ...(items.length < 2 ? [{ path: 'options', message: MESSAGES.twoItems() }] : []),
    ...(answers.length < 2 ? [{ path: 'options', message: MESSAGES.twoAnswers() }] : []),
    ...options.flatMap(({ match }, i) =>
      match == null || answers.some((answer) => answer === options[match])
        ? []
        : [{ path: `options.${i}.match`, message: MESSAGES.match() }],
    ),
  ];
}

/** The items, then the answers in the order of the items that they are for, then those of no item. */
function arranged(options: OptionDefinition[]): OptionDefinition[] {
  const { items, answers } = sidesOf(options);
  const used = new Set(items.flatMap(({ match }) => (match == null ? [] : options[match])));
  const others = answers.filter((answer) => !used.has(answer));
  const order = [...items, ...used, ...others].filter((option) => option !== undefined);
  return order.map((option) =>
    option.match == null
      ? option
      : { ...option, match: order.indexOf(options[option.match] ?? option) },
  );
}
