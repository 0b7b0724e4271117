import { expect, test } from 'vitest';
import { definitionKey } from './equal-questions.ts';
import { plainDefinition, type QuestionDefinition } from './question-definition.ts';

const numeric = (part: QuestionDefinition['numeric']): QuestionDefinition => ({
  ...plainDefinition('How much?', [], ''),
  type: 'numeric',
  numeric: part,
});
const shortText = (texts: string[], isCaseSensitive?: boolean): QuestionDefinition => ({
  ...plainDefinition('Which?', [], ''),
  type: 'short_text',
  shortText: { accepted: texts.map((text) => ({ text })), isCaseSensitive },
});

test.each([
  [
    'the order of options',
    plainDefinition('Q', ['a', 'b'], 'a'),
    plainDefinition('Q', ['b', 'a'], 'a'),
  ],
  [
    'how numbers are written',
    numeric({ accepted: [{ value: '70.0' }, { min: '1', max: '2.50' }] }),
    numeric({ accepted: [{ min: '1.0', max: '2.5' }, { value: '7e1' }] }),
  ],
  [
    'a tolerance of nothing',
    numeric({ accepted: [{ value: '70', tolerancePercent: '0' }] }),
    numeric({ accepted: [{ min: '70', max: '70.0' }] }),
  ],
  [
    'how a factor is written',
    numeric({ accepted: [{ value: '7' }], units: [{ unit: 'km', factor: '1000.0' }] }),
    numeric({ accepted: [{ value: '7' }], units: [{ unit: 'km', factor: '1e3' }] }),
  ],
  ['kinds of apostrophes and case', shortText(['It\u2019s', "it's"]), shortText(["it's"])],
])('questions are equal whatever %s', (_, a, b) => {
  expect(definitionKey(a)).toBe(definitionKey(b));
});

test.each([
  ['another key', plainDefinition('Q', ['a', 'b'], 'a'), plainDefinition('Q', ['a', 'b'], 'b')],
  [
    'another number',
    numeric({ accepted: [{ value: '70' }] }),
    numeric({ accepted: [{ value: '7' }] }),
  ],
  [
    'a tolerance',
    numeric({ accepted: [{ value: '70' }] }),
    numeric({ accepted: [{ value: '70', tolerancePercent: '1' }] }),
  ],
  [
    'another weight',
    numeric({ accepted: [{ value: '70', weight: 50 }] }),
    numeric({ accepted: [{ value: '70', weight: 100 }] }),
  ],
  ['another case that counts', shortText(['It'], true), shortText(['it'], true)],
])('questions differ by %s', (_, a, b) => {
  expect(definitionKey(a)).not.toBe(definitionKey(b));
});
