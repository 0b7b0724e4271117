import { expect, test } from 'vitest';
import { findNamesake } from './category-name.ts';

const LIST = [
  { id: '1', name: 'Health and Safety' },
  { id: '2', name: 'Straße' },
];

test.each([
  ['health AND safety', '1'],
  ['  Health  and\u00a0Safety ', '1'],
  ['straße', '2'],
  ['STRASSE', '2'],
  ['Health & Safety', undefined],
  ['Health', undefined],
])('finds for %j the category with the same name: %s', (name, id) => {
  expect(findNamesake(LIST, name)?.id).toBe(id);
});

test('lets a category keep its own name and change its case', () => {
  expect(findNamesake(LIST, 'HEALTH AND SAFETY', '1')).toBeUndefined();
  expect(findNamesake(LIST, 'HEALTH AND SAFETY', '2')?.id).toBe('1');
});
