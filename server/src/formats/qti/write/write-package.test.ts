import { normalizeMarkdown } from '@invigil/core/content/html/write-html';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { IMAGE, IMAGE_HASH, questionsHeldBy } from '@invigil/testkit/generated-questions';
import { readAll } from '@invigil/testkit/question-files';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportedQuestion } from '../../exported-question.ts';
import { openArchive } from '../../read-archive.ts';
import { readXml } from '../../xml/read-xml.ts';
import { childrenOf, descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import { readQti } from '../read-qti.ts';
import { qtiCannotHold } from './cannot-hold.ts';
import { writeQti3 } from './write-package.ts';

function written(questions: ExportedQuestion[]): Uint8Array {
  return Buffer.concat([...writeQti3(questions, (hash) => (hash === IMAGE_HASH ? IMAGE : null))]);
}

function question(definition: QuestionDefinition, more: Partial<ExportedQuestion> = {}) {
  return { definition, tags: [], categoryPath: [], title: 'A question', ...more };
}

async function readBack(questions: ExportedQuestion[]) {
  return readAll(readQti, { name: 'bank.zip', bytes: written(questions) });
}

describe('a package of QTI 3.0', () => {
  it('has titles, tags, categories, difficulty and images', async () => {
    const definition: QuestionDefinition = {
      type: 'multiple_choice',
      format: 'markdown',
      question: `What is it?\n\n![A map](image:${IMAGE_HASH})`,
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
    expect([...file.images]).toEqual([[IMAGE_HASH, IMAGE]]);
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

it.each([
  'A *b* **c** `d` and [e](https://x.org/a?b=1&c=2)',
  'x\n\n```js\nif (a < b && c) {\n  d("\\n");\n\n  e();\n}\n```\n\ny',
  '| a | b |\n| :- | -: |\n| 1 | $x^2$ |',
  '> quote\n\n- one\n- two\n  - three\n\n3. a\n4. b',
  '$a<b$ and\n\n$$\n\\frac{1}{2}\n$$\n\n---\n\nend',
  '\\*no\\* *stars* <b>no html</b> &amp; \\$5\\\nnext line',
])('keeps the Markdown %j', async (text) => {
  const markdown = normalizeMarkdown(text);
  const definition: QuestionDefinition = {
    type: 'multiple_choice',
    format: 'markdown',
    question: markdown,
    options: [
      { text: '**a**', isCorrect: true },
      { text: markdown, isCorrect: false },
    ],
    points: 1,
    rule: 'all_or_nothing',
    explanation: markdown,
  };
  const { items } = await readBack([question(definition)]);
  expect(items[0]).toMatchObject({ definition, notes: [] });
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
    [
      'differ in case or spacing alone',
      {
        type: 'short_text',
        options: [],
        shortText: { accepted: [{ text: 'Stra\u00dfe' }, { text: 'STRASSE' }] },
      },
    ],
    [
      'The caption of an image',
      { format: 'markdown', question: `See ![A cat](image:${IMAGE_HASH} "Figure 1").` },
    ],
    ['Tabs, and spaces', { question: 'a\tb' }],
    ['Tabs, and spaces', { question: 'a \nb' }],
  ])('says so about %s', (words, changes) => {
    expect(qtiCannotHold({ ...plain, ...changes }).join(' ')).toContain(words);
  });

  it('is nothing for a plain question', () => {
    expect(qtiCannotHold(plain)).toEqual([]);
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
  'qti-order-interaction': /^(qti-prompt )?(qti-simple-choice )+$/,
  'qti-match-interaction': /^(qti-prompt )?(qti-simple-match-set ){2}$/,
  'qti-simple-match-set': /^(qti-simple-associable-choice )*$/,
  'qti-item-body':
    /^((p|ul|ol|pre|blockquote|table|hr|div|figure|qti-(choice|order|match)-interaction) )*$/,
  figure: /^img figcaption $/,
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
  'qti-order-interaction': ['response-identifier'],
  'qti-match-interaction': ['response-identifier'],
  'qti-simple-choice': ['identifier'],
  'qti-simple-associable-choice': ['identifier', 'match-max'],
  'qti-index': ['n'],
  'qti-text-entry-interaction': ['response-identifier'],
  'qti-modal-feedback': ['outcome-identifier', 'show-hide', 'identifier'],
  'qti-equal': ['tolerance-mode'],
};

/** Attributes of HTML in QTI 3.0, as far as they are written: neither `style` nor the `title` of an image. */
const OF_HTML: Record<string, string[]> = {
  img: ['src', 'alt', 'width'],
  a: ['href'],
  ol: ['start'],
  code: ['class'],
  th: ['class'],
  td: ['class'],
};

const everythingIn = (element: XmlElement): XmlElement[] =>
  childrenOf(element).flatMap((child) => [child, ...everythingIn(child)]);

it('has elements, their order and attributes as the schema wants them', async () => {
  const sample = fc.sample(questionsHeldBy('qti_3'), {
    numRuns: inForm({ short: 60, long: 200 }),
    seed: 7,
  });
  const archive = await openArchive(
    Buffer.concat([
      ...writeQti3(
        sample.map((question) => ({ ...question, tags: ['a'], categoryPath: ['b'], title: '' })),
        () => IMAGE,
      ),
    ]),
  );
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
    const html = descendantsOf(root, 'qti-item-body', 'qti-content-body').flatMap(everythingIn);
    for (const { name, attributes } of html.filter((node) => !node.name.startsWith('qti-'))) {
      expect(OF_HTML[name] ?? []).toEqual(expect.arrayContaining(Object.keys(attributes)));
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
