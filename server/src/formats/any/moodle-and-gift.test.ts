import { createHash } from 'node:crypto';
import { normalizeMarkdown } from '@invigil/core/content/html/write-html';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportedQuestion } from '../exported-question.ts';
import { readGift } from '../gift/read-gift.ts';
import { giftCannotHold, writeGift } from '../gift/write-gift.ts';
import type { ReadFile } from '../imported-file.ts';
import { xmlCannotHold } from '../moodle/cannot-hold.ts';
import { readMoodleXml } from '../moodle/read-moodle-xml.ts';
import { writeMoodleXml } from '../moodle/write-moodle-xml.ts';

const PNG = Buffer.from('\x89PNG figure', 'latin1');
const HASH = createHash('sha256').update(PNG).digest('hex');

const word = fc.oneof(
  fc.stringMatching(/^[a-zA-Zäß0-9]{1,8}$/),
  fc.constantFrom(
    'a<b',
    'a  b',
    'c\t\td\n\n e',
    '&amp;',
    '{x}',
    '=5',
    '~',
    '#',
    '::',
    '\\(',
    '\\n',
    '$$',
    '$5',
    '*',
    '_',
    '[html]',
    '%50%',
    '->',
    '//',
    '“”',
    '1.',
    '- x',
    '|',
  ),
);
const plain = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const lines = fc.array(plain, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'));
const marked = fc
  .array(
    fc.oneof(
      plain,
      fc.constantFrom(
        '**bold** word',
        '$x^2 < 1$',
        '- a\n- b',
        '$$\n\\frac{1}{2}\n$$',
        '`a*b`',
        '| a | b |\n| - | - |\n| 1 | 2 |',
        '> q',
        '```c\nint a;\n```',
        '[l](https://e.org/)',
      ),
      fc.constant(`![A cat](image:${HASH} "Figure")`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((blocks) => normalizeMarkdown(blocks.join('\n\n')));
const decimal = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(1, 10, 1000))
  .map(([n, d]) => String(n / d));
const percent = fc.constantFrom(-100, -50, -33.33333, 0, 10, 25, 33.33333);

type Rest = Omit<QuestionDefinition, 'format' | 'question' | 'points' | 'explanation'>;

const choice = (text: fc.Arbitrary<string>): fc.Arbitrary<Rest> =>
  fc
    .record({
      texts: fc.uniqueArray(text, { minLength: 2, maxLength: 6 }),
      key: fc.nat(5),
      weights: fc.array(percent, { minLength: 6, maxLength: 6 }),
      kind: fc.constantFrom('single', 'weighted', 'multiple', 'ordered'),
    })
    .map(({ texts, key, weights, kind }) => {
      const right = key % texts.length;
      const isMultiple = kind === 'multiple';
      const isWeighted = isMultiple || kind === 'weighted';
      return {
        type: isMultiple ? 'multiple_response' : 'multiple_choice',
        rule: isWeighted ? 'weights' : 'all_or_nothing',
        options: texts.map((option, i) => {
          const other = isMultiple ? Math.min(0, weights[i] ?? 0) : (weights[i] ?? 0);
          const weight = i === right ? (isMultiple ? 100 : 90) : other;
          return {
            text: option,
            isCorrect: isWeighted ? weight > 0 : i === right,
            ...(isWeighted ? { weight } : {}),
            ...(kind === 'ordered' ? { isLast: true } : {}),
          };
        }),
      };
    });

const typed: fc.Arbitrary<Rest> = fc.oneof(
  fc.boolean().map(
    (isTrue): Rest => ({
      type: 'true_false',
      rule: 'all_or_nothing',
      options: [
        { text: 'True', isCorrect: isTrue },
        { text: 'False', isCorrect: !isTrue },
      ],
    }),
  ),
  fc
    .record({
      texts: fc.uniqueArray(plain, { minLength: 1, maxLength: 3 }),
      isCaseSensitive: fc.boolean(),
      weight: fc.option(fc.constantFrom(20, 50.5)),
    })
    .map(
      ({ texts, isCaseSensitive, weight }): Rest => ({
        type: 'short_text',
        rule: weight === null ? 'all_or_nothing' : 'weights',
        options: [],
        shortText: {
          accepted: texts.map((text) => ({ text, ...(weight === null ? {} : { weight }) })),
          ...(isCaseSensitive ? { isCaseSensitive } : {}),
        },
      }),
    ),
  fc
    .record({
      values: fc.array(fc.tuple(decimal, decimal), { minLength: 1, maxLength: 3 }),
      hasUnits: fc.boolean(),
      isUnitRequired: fc.boolean(),
    })
    .map(
      ({ values, hasUnits, isUnitRequired }): Rest => ({
        type: 'numeric',
        rule: 'all_or_nothing',
        options: [],
        numeric: {
          accepted: values.map(([a, b]) =>
            a === b
              ? { value: a }
              : Number(a) < Number(b)
                ? { min: a, max: b }
                : { min: b, max: a },
          ),
          ...(hasUnits
            ? {
                units: [
                  { unit: 'm', factor: '1' },
                  { unit: 'cm', factor: '0.01' },
                  { unit: 'km', factor: '1000' },
                ],
              }
            : {}),
          ...(hasUnits && isUnitRequired ? { isUnitRequired } : {}),
        },
      }),
    ),
);

const definition: fc.Arbitrary<QuestionDefinition> = fc
  .constantFrom('plain' as const, 'markdown' as const)
  .chain((format) => {
    const text = format === 'plain' ? lines : marked;
    return fc
      .tuple(
        text,
        fc.oneof(choice(text), typed),
        fc.constantFrom(1, 0.25, 2.5, 100),
        fc.option(text),
      )
      .filter(([, rest]) => format === 'plain' || rest.type !== 'true_false')
      .map(([question, rest, points, explanation]) => ({
        ...rest,
        format,
        question,
        points,
        ...(explanation === null ? {} : { explanation }),
      }));
  });

const exported: fc.Arbitrary<ExportedQuestion> = fc.record({
  definition,
  title: fc.constantFrom('', 'A: title {1}', 'Über = \\alpha'),
  tags: fc.uniqueArray(fc.constantFrom('one', 'two words', 'a/b'), { maxLength: 2 }),
  categoryPath: fc.array(fc.constantFrom('Biology', 'Cells/Plants', 'x'), { maxLength: 2 }),
});

async function expectSame(
  questions: ExportedQuestion[],
  text: string,
  read: ReadFile,
): Promise<void> {
  const { items, images } = await read(
    { name: 'a', bytes: new TextEncoder().encode(text) },
    () => undefined,
  );
  expect(items.map((item) => ({ definition: item.definition, notes: item.notes }))).toEqual(
    questions.map((question) => ({ definition: valid(question.definition), notes: [] })),
  );
  expect(items.map(({ tags, categoryPath }) => ({ tags, categoryPath }))).toEqual(
    questions.map(({ tags, categoryPath }) => ({ tags, categoryPath })),
  );
  items.forEach((item, i) => {
    if (questions[i]?.title) expect(item.title).toBe(questions[i].title);
  });
  for (const [hash, bytes] of images) expect([hash, Buffer.from(bytes)]).toEqual([HASH, PNG]);
}

function valid(question: QuestionDefinition): QuestionDefinition | null {
  const result = validateDefinition(question);
  return result.ok ? result.definition : null;
}

const held = (cannotHold: (d: QuestionDefinition) => string[]) =>
  fc.array(
    exported.filter(
      (question) =>
        valid(question.definition) !== null && cannotHold(question.definition).length === 0,
    ),
    { minLength: 1, maxLength: 4 },
  );

describe('an export that is imported again gives the same questions', () => {
  it('Moodle XML', async () => {
    await fc.assert(
      fc.asyncProperty(held(xmlCannotHold), (questions) =>
        expectSame(
          questions,
          writeMoodleXml(questions, () => PNG),
          readMoodleXml,
        ),
      ),
      { numRuns: 100 },
    );
  }, 60_000);

  it('GIFT', async () => {
    await fc.assert(
      fc.asyncProperty(held(giftCannotHold), (questions) =>
        expectSame(questions, writeGift(questions), readGift),
      ),
      { numRuns: 100 },
    );
  }, 60_000);
});
