import { expect, test } from 'vitest';
import { keepTypedSince } from './typed-since.ts';

test('updates unchanged fields and preserves those edited during the save', () => {
  const sent = { host: 'a', port: '25', password: 'secret' };
  const fresh = { host: 'A', port: '25', password: '' };
  expect(keepTypedSince(sent, sent, fresh)).toEqual(fresh);
  expect(keepTypedSince(sent, { ...sent, port: '587' }, fresh)).toEqual({ ...fresh, port: '587' });
  expect(
    keepTypedSince<{ note: string | null }>({ note: 'x' }, { note: 'xy' }, { note: null }),
  ).toEqual({ note: 'xy' });
});

test('compares a list item by item', () => {
  const sent = { question: 'Q?', options: ['x', 'y', '', ''], keyIndex: 0 };
  const typed = { ...sent, question: 'Next?', options: ['x', 'z', '', ''] };
  expect(
    keepTypedSince(sent, typed, { question: '', options: ['', '', '', ''], keyIndex: -1 }),
  ).toEqual({ question: 'Next?', options: ['', 'z', '', ''], keyIndex: -1 });
});
