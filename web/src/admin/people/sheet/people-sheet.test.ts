import { expect, test } from 'vitest';
import { stubStorage } from '../../../testing/browser-stubs.ts';
import { peopleOf, rememberColumns, sheetOf, withCell } from './people-sheet.ts';

stubStorage();

const read = (text: string) => {
  const sheet = sheetOf(text, []);
  return { sheet, ...peopleOf(sheet, []) };
};
const namesIn = (text: string) =>
  read(text).people.map(({ givenName, familyName }) => [givenName, familyName]);

test('the second of two people with one address is told, and left out when its cell is emptied', () => {
  const { sheet, problems } = read('Email\tName\na@b.org\tAda Lovelace\nA@b.org\tAlan Turing\n');
  expect(problems).toEqual([
    {
      ...{ row: 2, column: 0, cell: 'A@b.org', isRepeated: true },
      message: 'The same address as in row 2',
    },
  ]);
  expect(withCell(sheet, { row: 2, column: 0 }, '').rows).toEqual(sheet.rows.slice(0, 2));
});

test('a gradebook of Canvas is read without its row of points, and rows keep their numbers', () => {
  const { sheet, people, problems } = read(
    [
      'Spring term',
      'Student,ID,SIS User ID,SIS Login ID,Essay',
      '    Points Possible,,,,10.00',
      '"Lovelace, Ada",71,s1815,ada@b.org,9',
      '"Turing, Alan",72,s1912,ADA@b.org,8',
    ].join('\n'),
  );
  expect(people.map(({ email, externalId }) => [email, externalId])).toEqual([
    ['ada@b.org', 's1815'],
    ['ADA@b.org', 's1912'],
  ]);
  expect(problems.map(({ message }) => message)).toEqual(['The same address as in row 4']);
  expect([sheet.above, sheet.below]).toEqual([['Spring term'], ['Points Possible 10.00']]);
});

test('rows keep the numbers that they have in the file, below titles and blank rows', () => {
  const text = 'Exam roster\n\nEmail\tName\na@b.org\tAda\n\nb@b\tBob\nA@b.org\tAlan\n';
  const { sheet, problems } = read(text);
  expect(sheet.numbers).toEqual([3, 4, 6, 7]);
  expect(problems.at(-1)?.message).toBe('The same address as in row 4');
  expect(withCell(sheet, { row: 2, column: 0 }, '').numbers).toEqual([3, 4, 7]);
});

test('a row keeps names with quotation marks, and those below it', () => {
  const text = 'Email\tName\na@b.org\tRobert "Bob" Smith\nc@b.org\tAnn 5"\nd@b.org\tEve\n';
  expect(namesIn(text).map(([given]) => given)).toEqual(['Robert "Bob"', 'Ann', 'Eve']);
});

test.each([
  'Ada Lovelace <ada@b.org>; Alan Turing <alan@b.org>',
  '"Lovelace, Ada" <ada@b.org>, "Turing, Alan" <alan@b.org>',
  'Lovelace, Ada <ada@b.org>\nTuring, Alan <alan@b.org>',
])('names are read from a list of a mail program: %s', (text) => {
  expect(namesIn(text)).toEqual([
    ['Ada', 'Lovelace'],
    ['Alan', 'Turing'],
  ]);
});

test('a list that also has addresses without a name is one of cells', () => {
  expect(read('Ada <ada@b.org>; alan@b.org').sheet.columns).not.toContain('name');
});

test('what columns were taken for is remembered for lists with the same head row', () => {
  const head = 'Email\tName\tShoe size';
  const sheet = sheetOf(`${head}\na@b.org\tAda\t38`, []);
  expect(sheet.columns).toEqual(['email', 'name', 'ignored']);
  const columns = ['email', 'familyName', 'groups'] as const;
  rememberColumns({ ...sheet, columns: [...columns] });
  expect(sheetOf(`${head}\nb@b.org\tBob\t44`, []).columns).toEqual(columns);
  expect(sheetOf('Email\tName\nb@b.org\tBob', []).columns).toEqual(['email', 'name']);
});

test('a row that becomes blank is gone, and no correction reaches another row', () => {
  const sheet = sheetOf('Email\tName\tExtra time\n\t\tlots\nb@b.org\tBob\tmany', []);
  const [, time] = peopleOf(sheet, []).problems;
  const corrected = withCell(sheet, time as { row: number; column: number }, '');
  expect(corrected.rows).toEqual([sheet.rows[0], sheet.rows[2]]);
  expect(corrected.numbers).toEqual([1, 3]);
  expect(peopleOf(corrected, []).problems).toMatchObject([{ row: 1, cell: 'many' }]);
});

test('times are columns of a list of people to invite only, and read in its zone', () => {
  const text = 'Email\tOpens\tEnds\tMinutes\na@b.org\t14.05.2026 10:00\t\t45';
  expect(sheetOf(text, []).columns).toEqual(['email', 'ignored', 'ignored', 'ignored']);
  const sheet = sheetOf(text, [], { mayHaveTimes: true });
  expect(sheet.columns).toEqual(['email', 'opensAt', 'endDate', 'minutes']);
  const { people, problems } = peopleOf(sheet, [], 'America/New_York');
  expect(problems).toEqual([]);
  expect(people).toMatchObject([{ opensAt: '2026-05-14T14:00:00.000Z', minutes: 45 }]);
  const { problems: wrong } = peopleOf(withCell(sheet, { row: 1, column: 1 }, 'noon'), [], 'UTC');
  expect(wrong).toMatchObject([
    { row: 1, column: 1, message: 'Enter a date and a time as 2026-05-14 10:00' },
  ]);
});

test('ten thousand addresses in one line are no list of names, at once', () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `person${i}@example.org`).join(', ');
  expect(sheetOf(text, []).columns).not.toContain('name');
});
