import { expect, test } from 'vitest';
import { meaningOf } from './assessment-screen.tsx';

test.each([
  ['a', true, 4, { select: 0 }],
  ['D', true, 4, { select: 3 }],
  ['4', true, 4, { select: 3 }],
  ['f', true, 4, 'flag'],
  ['F', true, 6, 'flag'],
  ['d', true, 3, null],
  ['4', true, 3, null],
  ['0', true, 4, null],
  ['a', false, 4, null],
  ['1', false, 4, null],
  ['f', false, 4, null],
  ['Enter', true, 4, null],
  [' ', true, 4, null],
  ['ä', true, 4, null],
])('%s, letters %s, %d options', (key, letters, options, meaning) => {
  expect(meaningOf(key, letters, options)).toEqual(meaning);
});
