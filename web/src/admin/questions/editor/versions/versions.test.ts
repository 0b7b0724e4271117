import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { expect, test } from 'vitest';
import { textDiff } from './changes-list.tsx';
import { definitionChanges, hasOtherScores, labelChanges } from './definition-changes.ts';

test('compares texts by words and loses none', () => {
  const parts = textDiff('What is the capital of Spain?', 'What is the old capital of Portugal?');
  expect(parts).toEqual([
    { text: 'What is the ', in: 'both' },
    { text: 'old ', in: 'after' },
    { text: 'capital of ', in: 'both' },
    { text: 'Spain', in: 'before' },
    { text: 'Portugal', in: 'after' },
    { text: '?', in: 'both' },
  ]);
});

test('compares very long texts as a whole', () => {
  const long = 'word '.repeat(2_000);
  expect(textDiff(long, `${long}end`).map((part) => part.in)).toEqual(['before', 'after']);
});

const BEFORE = plainDefinition('Which?', ['a', 'b', 'c'], 'a');

test('lists only what differs between two versions', () => {
  const after = { ...BEFORE, points: 2, options: plainDefinition('', ['a', 'b'], 'b').options };
  expect(definitionChanges(BEFORE, after)).toEqual([
    { label: 'Option C', before: 'c', after: '' },
    { label: 'Correct', before: 'A', after: 'B' },
    { label: 'Points', before: '1', after: '2' },
  ]);
  expect(definitionChanges(BEFORE, BEFORE)).toEqual([]);
});

test('shows another factor of a unit', () => {
  const withFactor = (factor: string): QuestionDefinition => ({
    ...plainDefinition('How far?', [], ''),
    type: 'numeric',
    numeric: {
      accepted: [{ value: '7' }],
      units: [
        { unit: 'm', factor: '1' },
        { unit: 'km', factor },
      ],
    },
  });
  expect(definitionChanges(withFactor('100'), withFactor('1000'))).toEqual([
    { label: 'Comparison', before: 'Units: m, km (× 100)', after: 'Units: m, km (× 1000)' },
  ]);
});

test('shows what differs between pairs and between orders', () => {
  const matching = (...answers: [string, string]): QuestionDefinition => ({
    ...plainDefinition('Capitals?', [], ''),
    type: 'matching',
    options: optionsOfPairs(
      ['France', 'Spain'].map((item, i) => ({ item, answer: answers[i] ?? '' })),
      [],
    ),
  });
  expect(definitionChanges(matching('Paris', 'Rome'), matching('Paris', 'Madrid'))).toEqual([
    { label: 'Option D', before: 'Rome', after: 'Madrid' },
    {
      label: 'Correct',
      before: 'France → Paris\nSpain → Rome',
      after: 'France → Paris\nSpain → Madrid',
    },
  ]);
  const ordering = (...items: string[]): QuestionDefinition => ({
    ...plainDefinition('Order?', items, ''),
    type: 'ordering',
  });
  expect(definitionChanges(ordering('one', 'two'), ordering('two', 'one'))).toContainEqual({
    label: 'Correct',
    before: '1. one\n2. two',
    after: '1. two\n2. one',
  });
});

test('tells whether scores may change', () => {
  expect(hasOtherScores(BEFORE, { ...BEFORE, question: 'Which one?' })).toBe(false);
  expect(hasOtherScores(BEFORE, { ...BEFORE, options: BEFORE.options.toReversed() })).toBe(false);
  expect(hasOtherScores(BEFORE, { ...BEFORE, points: 3 })).toBe(true);
  expect(hasOtherScores(BEFORE, plainDefinition('Which?', ['a', 'b', 'c'], 'b'))).toBe(true);
});

test('lists the labels that differ', () => {
  const before = { tags: ['a', 'b'], category: 'Algebra', difficulty: '', note: 'n' };
  expect(labelChanges(before, before)).toEqual([]);
  expect(labelChanges(before, { ...before, tags: ['a', 'c'], note: '' })).toEqual([
    { label: 'Tags', before: 'a, b', after: 'a, c' },
    { label: 'Note', before: 'n', after: '' },
  ]);
});
