import { createHash } from 'node:crypto';
import { normalizeMarkdown } from '@invigil/core/content/html/write-html';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type {
  AcceptedNumber,
  OptionDefinition,
  QuestionDefinition,
  QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import {
  DIFFICULTIES,
  plainDefinition,
  SCORING_RULES,
} from '@invigil/core/domain/questions/question-definition';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import fc from 'fast-check';
import { cannotHold } from '../server/src/formats/any/write-format.ts';
import type { ExportedQuestion } from '../server/src/formats/exported-question.ts';

/** A WebP image of one pixel, the only one that generated questions name. */
export const IMAGE = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
export const IMAGE_HASH = createHash('sha256').update(IMAGE).digest('hex');

const word = fc.oneof(
  fc.stringMatching(/^[a-zA-Zäß0-9]{1,8}$/),
  fc.constantFrom(
    ...['a<b', 'a  b', 'c\t\td\n\n e', '&amp;', '{x}', '=5', '~', '#', '::', '\\(', '\\n', '$$'],
    ...['$5', '*', '_', '[html]', '%50%', '->', '//', '“”', "'", '1.', '- x', '|', ',', ';', '"'],
  ),
);
const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const lines = fc.array(phrase, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'));
const block = fc.constantFrom(
  ...['**bold** word', '$x^2 < 1$', '- a\n- b', '$$\n\\frac{1}{2}\n$$', '`a*b`', '> q'],
  ...['| a | b |\n| - | - |\n| 1 | 2 |', '```c\nint a;\n```', '[l](https://e.org/)', '2. b\n3. c'],
  ...['*slanted*', 'x\n\n---\n\ny', 'two\\\nlines'],
  `![A cat](image:${IMAGE_HASH} "Figure")`,
  `![A wide cat](image:${IMAGE_HASH}#75)`,
);
const marked = fc
  .array(fc.oneof(phrase, block), { minLength: 1, maxLength: 3 })
  .map((blocks) => blocks.join('\n\n'));
const decimal = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(1, 10, 1_000))
  .map(([n, scale]) => String(n / scale));
const weight = fc.oneof(
  fc.constantFrom(-100, -50, -33.33333, 0, 10, 25, 33.33333, 100),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => n / 100_000),
);
const points = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 25, max: 10_000 }).map((n) => n / 100),
);

type Key = Omit<QuestionDefinition, 'format' | 'question' | 'points' | 'explanation'>;

/** On some options of some questions. */
const feedbackOn = (text: fc.Arbitrary<string>, options: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.option(text, { nil: '', freq: 2 }), { maxLength: options }),
    },
  );

const choice = (text: fc.Arbitrary<string>): fc.Arbitrary<Key> =>
  fc
    .record({
      type: fc.constantFrom('multiple_choice', 'multiple_response'),
      rule: fc.constantFrom(...SCORING_RULES),
      texts: fc.uniqueArray(text, { minLength: 2, maxLength: 12 }),
      key: fc.nat(11),
      right: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      weights: fc.array(weight, { minLength: 12, maxLength: 12 }),
      last: fc.oneof(fc.nat(2), fc.constant(12)),
      minSelections: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 }),
      maxSelections: fc.option(fc.integer({ min: 2, max: 12 }), { nil: undefined, freq: 2 }),
      feedback: feedbackOn(text, 12),
    })
    .map(({ type, texts, key, right, weights, last, feedback, ...more }): Key => {
      const isMultiple = type === 'multiple_response';
      const rule = isMultiple || more.rule === 'weights' ? more.rule : 'all_or_nothing';
      const best = key % texts.length;
      const options = texts.map(
        (option, i): OptionDefinition => ({
          text: option,
          isCorrect: isMultiple ? (right[i] ?? false) : i === best,
          // One full answer in a multiple response: others that earn something would be too much.
          ...(rule === 'weights'
            ? { weight: i === best ? 100 : Math.min(isMultiple ? 0 : 100, weights[i] ?? 0) }
            : {}),
          ...(i >= texts.length - last ? { isLast: true } : {}),
          ...(feedback[i] ? { feedback: feedback[i] } : {}),
        }),
      );
      const { minSelections, maxSelections } = more;
      return isMultiple
        ? { type, rule, options, minSelections, maxSelections }
        : { type, rule, options };
    });

const trueOrFalse = (text: fc.Arbitrary<string>): fc.Arbitrary<Key> =>
  fc
    .tuple(
      fc.constantFrom(['True', 'False'], ['False', 'True'], ['Yes', 'No']),
      fc.constantFrom([true, false], [false, true], [false, false]),
      feedbackOn(text, 2),
    )
    .map(([texts, right, feedback]) => ({
      type: 'true_false',
      rule: 'all_or_nothing',
      options: texts.map((option, i) => ({
        text: option,
        isCorrect: right[i] === true,
        ...(feedback[i] ? { feedback: feedback[i] } : {}),
      })),
    }));

const accepted = fc.oneof(
  decimal.map((value): AcceptedNumber => ({ value })),
  fc
    .tuple(decimal, decimal)
    .filter(([a, b]) => a !== b)
    .map(
      ([a, b]): AcceptedNumber => (Number(a) < Number(b) ? { min: a, max: b } : { min: b, max: a }),
    ),
  fc
    .tuple(decimal, fc.integer({ min: 1, max: 50 }))
    .map(([value, percent]): AcceptedNumber => ({ value, tolerancePercent: `${percent}` })),
);
const UNITS = [
  { unit: 'm', factor: '1' },
  { unit: 'cm', factor: '0.01' },
  { unit: 'km', factor: '1000' },
];

const typed: fc.Arbitrary<Key> = fc
  .record({
    type: fc.constantFrom('numeric', 'short_text'),
    isWeighted: fc.boolean(),
    numbers: fc.uniqueArray(accepted, { maxLength: 4, selector: (a) => JSON.stringify(a) }),
    texts: fc.uniqueArray(phrase, { maxLength: 4 }),
    weights: fc.array(weight, { minLength: 4, maxLength: 4 }),
    units: fc.constantFrom(undefined, UNITS),
    isUnitRequired: fc.boolean(),
    isCaseSensitive: fc.boolean(),
    isSpaceExact: fc.boolean(),
  })
  .map(({ type, isWeighted, numbers, texts, weights, ...more }): Key => {
    const withWeight = <T extends object>(value: T, i: number) =>
      isWeighted ? { ...value, weight: weights[i] ?? 0 } : value;
    const { units, isUnitRequired, isCaseSensitive, isSpaceExact } = more;
    return {
      type,
      rule: isWeighted ? 'weights' : 'all_or_nothing',
      options: [],
      ...(type === 'numeric'
        ? { numeric: { accepted: numbers.map(withWeight), units, isUnitRequired } }
        : {
            shortText: {
              accepted: texts.map((text, i) => withWeight({ text }, i)),
              isCaseSensitive,
              isSpaceExact,
            },
          }),
    };
  });

const rows = (text: fc.Arbitrary<string>): fc.Arbitrary<Key> =>
  fc
    .record({
      type: fc.constantFrom('matching', 'ordering'),
      rule: fc.constantFrom('all_or_nothing', 'per_option'),
      texts: fc.uniqueArray(text, { minLength: 4, maxLength: 10 }),
      matches: fc.array(fc.option(fc.nat(9), { nil: null, freq: 40 }), {
        minLength: 5,
        maxLength: 5,
      }),
    })
    .map(({ type, rule, texts, matches }): Key => {
      const half = Math.floor(texts.length / 2);
      const [items, answers] = [texts.slice(0, half), texts.slice(half)];
      const pairs = items.map((item, i) => {
        const match = matches[i] ?? null;
        return { item, answer: match === null ? null : (answers[match % answers.length] ?? null) };
      });
      const options =
        type === 'matching'
          ? optionsOfPairs(pairs, answers)
          : texts.map((one) => ({ text: one, isCorrect: false }));
      return { type, rule, options };
    });

const definition: fc.Arbitrary<QuestionDefinition> = fc
  .constantFrom('plain' as const, 'markdown' as const)
  .chain((format) => {
    const text = format === 'plain' ? lines : marked;
    return fc.record({
      format: fc.constant(format),
      question: text,
      key: fc.oneof(
        { arbitrary: choice(text), weight: 3 },
        trueOrFalse(text),
        { arbitrary: typed, weight: 2 },
        { arbitrary: rows(text), weight: 2 },
      ),
      points,
      explanation: fc.option(text, { nil: undefined, freq: 2 }),
    });
  })
  .map(({ key, ...texts }) => ({ ...texts, ...key }));

const question: fc.Arbitrary<ExportedQuestion> = fc.record({
  definition,
  title: fc.constantFrom('', 'A: title {1}', 'Über = \\alpha'),
  tags: fc.uniqueArray(fc.constantFrom('one', 'two words', 'a/b', 'c]'), { maxLength: 2 }),
  categoryPath: fc.array(fc.constantFrom('Biology', 'Cells/Plants', 'x'), { maxLength: 2 }),
  difficulty: fc.option(fc.constantFrom(...DIFFICULTIES), { nil: undefined, freq: 2 }),
  note: fc.constantFrom('', '', 'Ask Ann first'),
});

/** A question that CSV holds, of which few of the others are one. */
const plainQuestion: fc.Arbitrary<ExportedQuestion> = fc
  .tuple(lines, fc.uniqueArray(lines, { minLength: 2, maxLength: 4 }), fc.nat(3))
  .map(([text, options, key]) => ({
    definition: plainDefinition(text, options, options[key % options.length] ?? ''),
    title: '',
    tags: [],
    categoryPath: [],
  }));

/**
 * Questions with everything that a format holds of what the bank has, valid and in the form that is
 * stored.
 */
export function questionsHeldBy(
  format: ExportFormat,
  isWanted: (type: QuestionType) => boolean = () => true,
): fc.Arbitrary<ExportedQuestion> {
  const isHeld = (one: ExportedQuestion) =>
    isWanted(one.definition.type) && cannotHold(format, one).length === 0;
  return (
    (format === 'csv' ? plainQuestion : question)
      // Most are refused: before they are converted.
      .filter(isHeld)
      .map((one) => ({ ...one, definition: stored(one.definition) }))
      .filter((one): one is ExportedQuestion => one.definition !== null)
      .filter(isHeld)
  );
}

function stored(definition: QuestionDefinition): QuestionDefinition | null {
  const text = definition.format === 'markdown' ? normalizeMarkdown : (same: string) => same;
  const { question, options, explanation } = definition;
  const result = validateDefinition({
    ...definition,
    question: text(question),
    options: options.map((option) => ({
      ...option,
      text: text(option.text),
      ...(option.feedback === undefined ? {} : { feedback: text(option.feedback) }),
    })),
    ...(explanation === undefined ? {} : { explanation: text(explanation) }),
  });
  return result.ok ? result.definition : null;
}
