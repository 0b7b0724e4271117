import { expect, test } from 'vitest';
import { keepTypedSince } from './typed-since.ts';

test('compares a list item by item', () => {
  const sent = { question: 'Q?', options: ['x', 'y', '', ''], keyIndex: 0 };
  const typed = { ...sent, question: 'Next?', options: ['x', 'z', '', ''] };
  expect(
    keepTypedSince(sent, typed, { question: '', options: ['', '', '', ''], keyIndex: -1 }),
  ).toEqual({ question: 'Next?', options: ['', 'z', '', ''], keyIndex: -1 });
});

test('keeps a list that has become longer or shorter, and compares fields within a field', () => {
  const sent = { groups: ['A', 'B'], fields: { a: ' x', b: 'y' } };
  const fresh = { groups: ['A', 'B'], fields: { a: 'x', b: 'y' } };
  expect(keepTypedSince(sent, structuredClone(sent), fresh)).toEqual(fresh);
  const typed = { groups: ['A'], fields: { a: ' x', b: 'z' } };
  expect(keepTypedSince(sent, typed, fresh)).toEqual({
    groups: ['A'],
    fields: { a: 'x', b: 'z' },
  });
});
