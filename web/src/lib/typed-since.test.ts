import { expect, test } from 'vitest';
import { keepTypedSince } from './typed-since.ts';

test('compares a list item by item', () => {
  const sent = { question: 'Q?', options: ['x', 'y', '', ''], keyIndex: 0 };
  const typed = { ...sent, question: 'Next?', options: ['x', 'z', '', ''] };
  expect(
    keepTypedSince(sent, typed, { question: '', options: ['', '', '', ''], keyIndex: -1 }),
  ).toEqual({ question: 'Next?', options: ['', 'z', '', ''], keyIndex: -1 });
});
