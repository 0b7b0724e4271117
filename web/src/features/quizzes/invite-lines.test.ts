import { expect, test } from 'vitest';
import { addressLines, judgeInviteLines } from './invite-lines.ts';

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

test('of spreadsheet rows the addresses are kept, and what has none can be seen', () => {
  expect(
    addressLines(
      '\uFEFFName,E-mail\r\n"Doe, Jane","jane@example.org"\nJo\tjo@example.org\nbroken@',
    ),
  ).toBe('jane@example.org\njo@example.org\nbroken@');
  expect(addressLines('not an address')).toBe('not an address');
});
