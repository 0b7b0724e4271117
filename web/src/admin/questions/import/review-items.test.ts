import type { ImportItem } from '@invigil/core/contract/assessments/imports';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test } from 'vitest';
import { countByStatus, initialSelection, placeOf, positionsOf } from './review-items.ts';

const item = (change: Partial<ImportItem> = {}): ImportItem => ({
  source: { file: 'unit1/q.xml' },
  title: 'Q',
  definition: plainDefinition('Q?', ['x', 'y'], 'x'),
  notes: [],
  isDraft: false,
  tags: [],
  categoryPath: [],
  isDuplicate: false,
  ...change,
});

const ITEMS = [
  item(),
  item({ notes: ['The font was removed'] }),
  item({ isDraft: true, notes: ['It has no key'] }),
  item({ isDuplicate: true, isDraft: true }),
  item({ definition: null, notes: ['Essays are not supported'] }),
];

test('gives each item one status', () => {
  expect(countByStatus(ITEMS)).toEqual({
    unchanged: 1,
    changed: 1,
    draft: 1,
    duplicate: 1,
    unsupported: 1,
  });
  expect(positionsOf(ITEMS, 'duplicate')).toEqual([3]);
  expect(positionsOf(ITEMS, null)).toEqual([0, 1, 2, 3, 4]);
});

test('selects nothing that is not supported, and duplicates on request', () => {
  expect([...initialSelection(ITEMS, false)]).toEqual([0, 1, 2]);
  expect([...initialSelection(ITEMS, true)]).toEqual([0, 1, 2, 3]);
});

test('names an item by file, identifier and line', () => {
  const source = { file: 'unit1/q.xml', identifier: 'q17', line: 40 };
  expect(placeOf(item({ source }))).toBe('unit1/q.xml, item q17, line 40');
  expect(placeOf(item())).toBe('unit1/q.xml');
});
