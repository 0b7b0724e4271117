import { expect, test } from 'vitest';
import { judgeInviteLines } from './invite-lines.ts';

test('blank lines are no addresses', () => {
  expect(judgeInviteLines(' \n\r\n\t')).toEqual({
    addresses: [],
    valid: 0,
    invalid: [],
    duplicates: 0,
  });
});

test('trimmed, merged without regard to case, the invalid ones named', () => {
  expect(
    judgeInviteLines(
      ' a@example.org \r\nA@EXAMPLE.org\nnot an address\rb@example.org\nnot an address',
    ),
  ).toEqual({
    addresses: ['a@example.org', 'not an address', 'b@example.org'],
    valid: 2,
    invalid: ['not an address'],
    duplicates: 2,
  });
});
