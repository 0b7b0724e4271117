import type {
  AcceptedNumber,
  OptionDefinition,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../archive/read-archive.ts';
import { readXml } from '../../xml/read-xml.ts';
import { childrenOf, descendantsOf } from '../../xml/xml-element.ts';
import { hashOf } from '../item/package-files.ts';
import { readQti } from '../read-qti.ts';
import { cannotHold } from './cannot-hold.ts';
import { type WrittenQuestion, writeQti3 } from './write-package.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3]);
const HASH = hashOf(PNG);

function written(questions: WrittenQuestion[]): Uint8Array {
  return Buffer.concat([...writeQti3(questions, (hash) => (hash === HASH ? PNG : null))]);
}

function question(definition: QuestionDefinition, more: Partial<WrittenQuestion> = {}) {
  return { definition, tags: [], categoryPath: [], title: 'A question', ...more };
}

async function readBack(questions: WrittenQuestion[]) {
  return readQti({ name: 'bank.zip', bytes: written(questions) }, () => undefined);
}

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

/** What the format can hold, as the bank has it. */
const held = fc
  .oneof(choice, typed)
  .map((definition) => validateDefinition(definition))
  .filter((result) => result.ok)
  .map((result) => (result as { definition: QuestionDefinition }).definition)
  .filter((definition) => cannotHold(definition).length === 0);

describe('a package of QTI 3.0', () => {
  it('is read back as the questions that were written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(held, { minLength: 1, maxLength: 4 }), async (definitions) => {
        const file = await readBack(definitions.map((definition) => question(definition)));
        expect(file.problems).toEqual([]);
        expect(file.items.map((item) => item.definition)).toEqual(definitions);
      }),
      { numRuns: 300 },
    );
  });

  it('has titles, tags, categories, difficulty and images', async () => {
    const definition: QuestionDefinition = {
      type: 'multiple_choice',
      format: 'markdown',
      question: `What is it?\n\n![A map](image:${HASH})`,
      options: [
        { text: 'A map', isCorrect: true },
        { text: '**Not** a map', isCorrect: false },
      ],
      points: 1,
      rule: 'all_or_nothing',
    };
    const more = {
      title: 'Maps & <more>',
      tags: ['maps', 'reading'],
      categoryPath: ['Geography', 'Year 1'],
      difficulty: 'hard' as const,
    };
    const file = await readBack([question(definition, more), question(definition)]);
    expect(file.format).toBe('qti_3');
    const [item, other] = file.items;
    expect(item).toMatchObject({ ...more, notes: [] });
    expect(item?.definition).toEqual(definition);
    expect(other).toMatchObject({ title: 'A question', tags: [], categoryPath: [] });
    expect([...file.images]).toEqual([[HASH, Buffer.from(PNG)]]);
  });

  it('keeps drafts, with their points', async () => {
    const draft: QuestionDefinition = {
      type: 'numeric',
      format: 'plain',
      question: 'How many?',
      options: [],
      points: 2.5,
      rule: 'all_or_nothing',
      numeric: { accepted: [] },
      explanation: 'Because.',
    };
    const { items } = await readBack([question(draft)]);
    expect(items[0]?.definition).toEqual(draft);
  });

  it('is the same for the same questions', () => {
    const same = () =>
      written([
        question({
          type: 'short_text',
          format: 'plain',
          question: 'q',
          options: [],
          points: 1,
          rule: 'all_or_nothing',
          shortText: { accepted: [{ text: 'a' }] },
        }),
      ]);
    expect(same()).toEqual(same());
  });
});

describe('what it cannot hold', () => {
  const plain: QuestionDefinition = {
    type: 'multiple_choice',
    format: 'plain',
    question: 'q',
    options: [
      { text: 'a', isCorrect: true },
      { text: 'b', isCorrect: false },
    ],
    points: 1,
    rule: 'all_or_nothing',
  };

  it.each<[string, Partial<QuestionDefinition>]>([
    [
      'units',
      {
        type: 'numeric',
        options: [],
        numeric: { accepted: [{ value: '1' }], units: [{ unit: 'm', factor: '1' }] },
      },
    ],
    [
      'white space',
      {
        type: 'short_text',
        options: [],
        shortText: { accepted: [{ text: 'a' }], isSpaceExact: true },
      },
    ],
    [
      'differ in case',
      { type: 'short_text', options: [], shortText: { accepted: [{ text: 'a' }, { text: 'A' }] } },
    ],
    [
      'scoring rule',
      {
        type: 'multiple_response',
        rule: 'per_option',
        options: [
          { text: 'a', isCorrect: false },
          { text: 'b', isCorrect: false },
        ],
      },
    ],
    [
      'at the end',
      {
        options: [
          { text: 'a', isCorrect: true, isLast: true },
          { text: 'b', isCorrect: false },
        ],
      },
    ],
    [
      'all options stay last',
      {
        options: [
          { text: 'a', isCorrect: true, isLast: true },
          { text: 'b', isCorrect: false, isLast: true },
        ],
      },
    ],
  ])('says so about %s', (words, changes) => {
    expect(cannotHold({ ...plain, ...changes }).join(' ')).toContain(words);
  });

  it('is nothing for a plain question', () => {
    expect(cannotHold(plain)).toEqual([]);
  });
});

/** Order and occurrence of children as the schema of QTI 3.0 (ASI) has them, for what is written here. */
const CHILDREN: Record<string, RegExp> = {
  'qti-assessment-item':
    /^(qti-response-declaration )*(qti-outcome-declaration )*(qti-item-body )?(qti-response-processing )?(qti-modal-feedback )*$/,
  'qti-response-declaration': /^(qti-correct-response )?(qti-mapping )?$/,
  'qti-outcome-declaration': /^(qti-default-value )?$/,
  'qti-correct-response': /^(qti-value )+$/,
  'qti-mapping': /^(qti-map-entry )+$/,
  'qti-choice-interaction': /^(qti-prompt )?(qti-simple-choice )+$/,
  'qti-item-body': /^((p|ul|ol|pre|blockquote|table|hr|div|qti-choice-interaction) )*$/,
  'qti-modal-feedback': /^qti-content-body $/,
  'qti-response-processing': /^(qti-(response-condition|set-outcome-value) )*$/,
  'qti-response-condition': /^qti-response-if (qti-response-else-if )*(qti-response-else )?$/,
  'qti-response-if': /^qti-(match|gt|not|and|equal) (qti-set-outcome-value )+$/,
  'qti-set-outcome-value': /^qti-\S+ $/,
  'qti-divide': /^\S+ \S+ $/,
};
const REQUIRED: Record<string, string[]> = {
  'qti-assessment-item': ['identifier', 'title', 'time-dependent'],
  'qti-response-declaration': ['identifier', 'cardinality', 'base-type'],
  'qti-outcome-declaration': ['identifier', 'cardinality', 'base-type'],
  'qti-map-entry': ['map-key', 'mapped-value'],
  'qti-choice-interaction': ['response-identifier', 'max-choices'],
  'qti-simple-choice': ['identifier'],
  'qti-text-entry-interaction': ['response-identifier'],
  'qti-modal-feedback': ['outcome-identifier', 'show-hide', 'identifier'],
  'qti-equal': ['tolerance-mode'],
};

it('has elements, their order and attributes as the schema wants them', async () => {
  const sample = fc.sample(held, { numRuns: 200, seed: 7 });
  const archive = await openArchive(written(sample.map((definition) => question(definition))));
  for (const path of archive.paths.filter((name) => name.startsWith('items/'))) {
    const root = readXml(await archive.read(path));
    expect(root.attributes.xmlns).toBe('http://www.imsglobal.org/xsd/imsqtiasi_v3p0');
    const all = [root, ...descendantsOf(root, ...Object.keys(CHILDREN), ...Object.keys(REQUIRED))];
    for (const element of all) {
      const names = childrenOf(element)
        .map((child) => `${child.name} `)
        .join('');
      expect(names).toMatch(CHILDREN[element.name] ?? /^/);
      for (const name of REQUIRED[element.name] ?? [])
        expect(element.attributes).toHaveProperty(name);
      expect(element.attributes.identifier ?? 'a').toMatch(/^[A-Za-z_][\w.-]*$/);
    }
  }
  const manifest = readXml(await archive.read('imsmanifest.xml'));
  expect(childrenOf(manifest).map((child) => child.name)).toEqual([
    'metadata',
    'organizations',
    'resources',
  ]);
  const hrefs = descendantsOf(manifest, 'file').map((file) => file.attributes.href ?? '');
  expect(hrefs.every((href) => archive.has(href))).toBe(true);
});
