import { expect, test } from 'vitest';
import { keepTypedSince } from './typed-since.ts';

test('what still holds what was sent starts again, what was typed in the meantime stays', () => {
  const sent = { host: 'a', port: '25', password: 'secret' };
  const fresh = { host: 'A', port: '25', password: '' };
  expect(keepTypedSince(sent, sent, fresh)).toEqual(fresh);
  expect(keepTypedSince(sent, { ...sent, port: '587' }, fresh)).toEqual({ ...fresh, port: '587' });
  expect(
    keepTypedSince<{ note: string | null }>({ note: 'x' }, { note: 'xy' }, { note: null }),
  ).toEqual({ note: 'xy' });
});

test('a list is looked at place by place', () => {
  const sent = { question: 'Q?', options: ['x', 'y', '', ''], keyIndex: 0 };
  const typed = { ...sent, question: 'Next?', options: ['x', 'z', '', ''] };
  expect(
    keepTypedSince(sent, typed, { question: '', options: ['', '', '', ''], keyIndex: -1 }),
  ).toEqual({ question: 'Next?', options: ['', 'z', '', ''], keyIndex: -1 });
});
