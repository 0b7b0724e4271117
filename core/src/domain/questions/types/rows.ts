import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS as L } from '../../limits.ts';
import { answerRows } from '../answer-rows.ts';
import type { QuestionDefinition, ScoringRule } from '../question-definition.ts';
import { QUESTION_MESSAGES } from '../question-options.ts';
import type { DefinitionProblem, ExampleAnswer, TypeOfQuestion } from './type-of-question.ts';
import { asWhole, FULL } from './weights.ts';

const MESSAGES = {
  blank: () => t('field.text', 'Enter a text'),
  tooMany: () =>
    t(
      'definition.maxRows',
      '{max, plural, one {A question has at most # text to match or to put in order} other {A question has at most # texts to match or to put in order}}',
      { max: L.richOptionsMax },
    ),
  rule: () => t('definition.rowRule', 'This type is scored as a whole or by its items'),
  tooLong: () =>
    t(
      'definition.answerTooLong',
      '{max, plural, one {An answer has at most # character: shorten the texts} other {An answer has at most # characters: shorten the texts}}',
      { max: L.responseMaxCharacters },
    ),
};

const RULES: readonly ScoringRule[] = ['all_or_nothing', 'per_option'];

/** How a type that is answered row by row differs from the others. */
interface RowParts
  extends Pick<TypeOfQuestion, 'name' | 'isDraft' | 'plainOptions'>,
    Partial<Pick<TypeOfQuestion, 'arrange'>> {
  /** Problems of the items and their key. */
  problems(definition: QuestionDefinition): DefinitionProblem[];
  /** Characters of the longest answer, without what is around its texts. */
  longest(definition: QuestionDefinition): number;
  /** The key in words, row by row. */
  words(definition: QuestionDefinition): string[];
  /** The right answer with its first two rows wrong. */
  example(definition: QuestionDefinition): string[];
}

/**
 * A type that asks for something of each of its items. Under `all_or_nothing` every row must be right; under
 * `per_option` each right row earns its share of the points, and a row that is wrong or left open earns nothing.
 * An answer without a right row is a wrong one.
 */
export function rowType({ problems, longest, words, example, ...parts }: RowParts): TypeOfQuestion {
  return {
    rules: RULES,
    hasFixedOrder: false,
    isOrderKey: true,
    keyField: null,
    arrange: (options) => options,
    clean: ({ options }) => ({
      options: options.map(({ text, match }) => ({
        text,
        isCorrect: false,
        ...(match === undefined ? {} : { match }),
      })),
    }),
    problems: (definition) => [
      ...textProblems(definition),
      ...problems(definition),
      ...(RULES.includes(definition.rule) ? [] : [{ path: 'rule', message: MESSAGES.rule() }]),
      ...(longest(definition) > L.responseMaxCharacters
        ? [{ path: 'options', message: MESSAGES.tooLong() }]
        : []),
    ],
    evaluate: (details, optionIds, answer) => {
      const rows = answerRows({ optionIds, details }, answer);
      const right = rows.filter(({ given, right: key }) => given !== null && given === key).length;
      if (details.rule === 'all_or_nothing') return asWhole(right === rows.length);
      return {
        share: (FULL * BigInt(right)) / BigInt(rows.length),
        wrong: right === 0 ? 1 : 0,
      };
    },
    plainKey: () => null,
    acceptedText: words,
    keyRules: () => [],
    releasedKey: () => [],
    examples: (definition) => examplesOf(words(definition).length, example(definition)),
    ...parts,
  };
}

export const exampleName = (some: number, all: number): string =>
  t(
    /* in an example of a scoring rule: so many are right */ 'definition.example',
    '{some} of {all} right',
    { some, all },
  );

/** Two wrong rows, because no order has only one. */
function examplesOf(rows: number, wrong: readonly string[]): ExampleAnswer[] {
  const name =
    rows <= 2
      ? t(/* in an example of a scoring rule */ 'definition.exampleNone', 'None right')
      : exampleName(rows - 2, rows);
  return [{ name, answer: JSON.stringify(wrong) }];
}

function textProblems({ options }: QuestionDefinition): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const seen = new Set<string>();
  options.forEach(({ text }, i) => {
    const path = `options.${i}.text`;
    if (text === '') problems.push({ path, message: MESSAGES.blank() });
    else if (seen.has(text)) problems.push({ path, message: QUESTION_MESSAGES.equalOptions() });
    if (text.length > L.textMaxCharacters)
      problems.push({ path, message: QUESTION_MESSAGES.tooLong() });
    seen.add(text);
  });
  if (options.length > L.richOptionsMax)
    problems.push({ path: 'options', message: MESSAGES.tooMany() });
  return problems;
}
