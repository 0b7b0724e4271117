import { describe, expect, test } from 'vitest';
import { addressLines, validateInviteLines } from './invite-addresses.tsx';

test('ignores blank lines', () => {
  expect(validateInviteLines(' \n\r\n\t')).toEqual({
    addresses: [],
    valid: 0,
    invalid: [],
    duplicates: 0,
  });
});

test('trims and merges addresses ignoring case, and names invalid ones', () => {
  expect(
    validateInviteLines(
      ' a@example.org \r\nA@EXAMPLE.org\nnot an address\rb@example.org\nnot an address',
    ),
  ).toEqual({
    addresses: ['a@example.org', 'not an address', 'b@example.org'],
    valid: 2,
    invalid: ['not an address'],
    duplicates: 2,
  });
});

describe('reads addresses as mail programs copy them', () => {
  const A = 'a@example.org';
  const B = 'b@example.org';
  const C = 'c@example.org';
  test.each<[string, string, string[]]>([
    ['separated by semicolons', `${A}; ${B};${C};`, [A, B, C]],
    ['separated by commas', `${A}, ${B},${C}`, [A, B, C]],
    ['from Gmail', `"Doe, Jane" <${A}>, Bo <${B}>, ${C}`, [A, B, C]],
    ['from Outlook', `Doe, Jane <${A}>; Roe, Richard (Ext.) <${B}>; <${C}>`, [A, B, C]],
    ['one per line, mixed', `"Ann" <${A}>\n${B}\r\n'${C}';`, [A, B, C]],
    ['a name that is an address', `${A} <${A}>; "${B}" <${B}>`, [A, B]],
    ['a separator inside a quoted name', `"Doe; Jane, née Roe" <${A}>; ${B}`, [A, B]],
    ['a mark without its partner', `5" Disk <${A}>; ${B}`, [A, B]],
    ['links', `mailto:${A}; ${B}<mailto:${B}>`, [A, B]],
    ['separated by blanks', `${A} ${B}\u00a0${C}`, [A, B, C]],
    ['with a comment', `${A} (Jane Doe)`, [A]],
    ['typographic quotation marks', `“Doe, Jane” <${A}>, „Roe, R“ <${B}>`, [A, B]],
    ['invisible characters', `\ufeffa\u200b@exam\u00adple.org\u200e; \u2068${B}\u2069`, [A, B]],
    ['without a line break between entries', `Ann <${A}> Bo <${B}>`, [A, B]],
  ])('%s', (_, text, addresses) => {
    expect(validateInviteLines(text)).toEqual({
      addresses,
      valid: addresses.length,
      invalid: [],
      duplicates: 0,
    });
  });

  test.each<[string, string, string[], string[]]>([
    ['a name that Outlook did not resolve', `Jane Doe; ${A}`, [A], ['Jane Doe']],
    ['a list entry that is no address', `${A}, nobody, ${B}`, [A, B], ['nobody']],
    ['a mistyped address in brackets', `Jane <jane@>; ${A}`, [A], ['jane@']],
    ['a mistyped address beside a good one', `${A} b@nowhere`, [A], ['b@nowhere']],
    ['a mistyped address alone', 'jane@@example.org', [], ['jane@@example.org']],
  ])('shows %s as invalid', (_, text, valid, invalid) => {
    const lines = validateInviteLines(text);
    expect(lines.invalid).toEqual(invalid);
    expect(lines.addresses.filter((address) => !invalid.includes(address))).toEqual(valid);
  });

  test.each([
    ['"<', 1],
    ['a,', 1],
    ['<a@', 1],
    ['a@a.org ', 1],
  ])('a quarter of a megabyte of %j is one thing, not a search without end', (piece, different) => {
    const { addresses } = validateInviteLines(piece.repeat(262_144 / piece.length));
    expect(addresses).toHaveLength(different);
  });
});

test('extracts addresses from spreadsheet rows and keeps rows without one', () => {
  expect(
    addressLines(
      '\uFEFFName,E-mail\r\n"Doe, Jane","jane@example.org"\nJo\tjo@example.org\nDone;done@example.org\nbroken@',
    ),
  ).toBe('jane@example.org\njo@example.org\ndone@example.org\nbroken@');
  expect(addressLines('not an address')).toBe('not an address');
});

test.each([
  ['Nachname Vorname Matrikel E-Mail', 'typed'],
  ['Nachname\tVorname\tMatrikel\tE-Mail', 'pasted'],
  ['Name;E-Mail-Adresse', 'of a CSV file'],
  ['First name,Email Address', 'of an English one'],
])('leaves out the head row %j, %s', (head) => {
  expect(
    validateInviteLines(`${head}\nDoe\tJane\t12345\tjane@example.org\nRoe Jo 7 jo@example.org`),
  ).toEqual({
    addresses: ['jane@example.org', 'jo@example.org'],
    valid: 2,
    invalid: [],
    duplicates: 0,
    head,
  });
});

test.each(['jane.email.org', 'no-mail@', 'the mailing list'])('%j is no head row', (line) => {
  expect(validateInviteLines(line)).toMatchObject({ invalid: [line] });
});

test('a comma for a dot stays within its address', () => {
  expect(
    validateInviteLines('a@gmx,de, b@example.org,c@localhost,bob, d@mail.gmx,de'),
  ).toMatchObject({
    addresses: ['a@gmx,de', 'b@example.org', 'c@localhost', 'bob', 'd@mail.gmx,de'],
  });
});

test('takes domains of any script, and merges both spellings', () => {
  expect(
    validateInviteLines(
      'Anna <anna@müller-schule.de>; anna@xn--mller-schule-dlb.de\njörg@example.org',
    ),
  ).toMatchObject({ valid: 1, duplicates: 1, invalid: ['jörg@example.org'] });
});
