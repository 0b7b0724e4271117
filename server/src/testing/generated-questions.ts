import type {
  AcceptedNumber,
  OptionDefinition,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import fc from 'fast-check';
import { qtiCannotHold } from '../formats/qti/write/cannot-hold.ts';

const word = fc.stringMatching(/^[A-Za-zäöüé0-9<&"'>]{1,12}$/);
const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const points = fc.integer({ min: 25, max: 10_000 }).map((n) => n / 100);
const weight = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => n / 100_000);
const decimal = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 3 }))
  .map(([n, scale]) => (n / 10 ** scale).toFixed(scale));

const base = fc.record({
  question: phrase,
  points,
  explanation: fc.option(phrase, { nil: undefined }),
});

const choice = fc
  .record({
    base,
    type: fc.constantFrom('multiple_choice', 'multiple_response', 'true_false'),
    rule: fc.constantFrom('all_or_nothing', 'right_minus_wrong', 'per_option', 'weights'),
    texts: fc.uniqueArray(phrase, { minLength: 2, maxLength: 12 }),
    right: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    weights: fc.array(weight, { minLength: 12, maxLength: 12 }),
    last: fc.nat(2),
    limits: fc.option(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })), {
      nil: undefined,
    }),
  })
  .map(({ base: { explanation, ...common }, type, rule, texts, right, weights, last, limits }) => {
    const used = type === 'true_false' ? texts.slice(0, 2) : texts;
    const options = used.map(
      (text, i): OptionDefinition => ({
        text,
        isCorrect: type === 'multiple_response' ? (right[i] ?? false) : i === right.indexOf(true),
        ...(rule === 'weights' ? { weight: weights[i] } : {}),
        ...(type !== 'true_false' && i > 0 && i >= used.length - last ? { isLast: true } : {}),
      }),
    );
    return {
      ...common,
      type,
      rule: type === 'multiple_response' || rule === 'weights' ? rule : 'all_or_nothing',
      format: 'plain',
      options,
      ...(explanation ? { explanation } : {}),
      ...(type === 'multiple_response' && limits
        ? { minSelections: limits[0], maxSelections: limits[1] }
        : {}),
    } as QuestionDefinition;
  });

const accepted = fc.oneof(
  decimal.map((value): AcceptedNumber => ({ value })),
  fc
    .tuple(decimal, decimal)
    .map(
      ([a, b]): AcceptedNumber =>
        Number(a) <= Number(b) ? { min: a, max: b } : { min: b, max: a },
    ),
  fc
    .tuple(decimal, fc.integer({ min: 1, max: 50 }))
    .map(([value, percent]): AcceptedNumber => ({ value, tolerancePercent: `${percent}` })),
);

const typed = fc
  .record({
    base,
    type: fc.constantFrom('numeric', 'short_text'),
    isWeighted: fc.boolean(),
    numbers: fc.uniqueArray(accepted, { maxLength: 5, selector: (a) => JSON.stringify(a) }),
    texts: fc.uniqueArray(phrase, { maxLength: 5 }),
    weights: fc.array(weight, { minLength: 5, maxLength: 5 }),
    isCaseSensitive: fc.boolean(),
  })
  .map(({ base: { explanation, ...common }, type, isWeighted, ...key }) => {
    const withWeight = <T>(value: T, i: number) =>
      isWeighted ? { ...value, weight: key.weights[i] } : value;
    return {
      ...common,
      type,
      rule: isWeighted ? 'weights' : 'all_or_nothing',
      format: 'plain',
      options: [],
      ...(explanation ? { explanation } : {}),
      ...(type === 'numeric'
        ? { numeric: { accepted: key.numbers.map(withWeight) } }
        : {
            shortText: {
              accepted: key.texts.map((text) => ({ text })).map(withWeight),
              ...(key.isCaseSensitive ? { isCaseSensitive: true } : {}),
            },
          }),
    } as QuestionDefinition;
  });

/** Questions of all types that QTI 3.0 can hold, as the bank has them. */
export const questionsThatQtiHolds = fc
  .oneof(choice, typed)
  .map((definition) => validateDefinition(definition))
  .filter((result) => result.ok)
  .map((result) => (result as { definition: QuestionDefinition }).definition)
  .filter((definition) => qtiCannotHold(definition).length === 0);
