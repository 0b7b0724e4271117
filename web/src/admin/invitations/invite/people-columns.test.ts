import { expect, test } from 'vitest';
import { peopleOf, peopleSheetOf } from './people-columns.tsx';

const read = (text: string) => {
  const sheet = peopleSheetOf(text);
  if (sheet === null) throw new Error('a list of people');
  return peopleOf(sheet);
};

test('the first of two people with one address is used, and the other is told', () => {
  const { byKey, problems } = read('Email\tName\na@b.org\tAda Lovelace\nA@b.org\tAlan Turing\n');
  expect([...byKey.values()]).toMatchObject([{ givenName: 'Ada', familyName: 'Lovelace' }]);
  expect(problems).toEqual(['A@b.org: Several rows have this address. The first is used.']);
});

test('a row keeps names with quotation marks, and those below it', () => {
  const { byKey } = read(
    'Email\tName\na@b.org\tRobert "Bob" Smith\nc@b.org\tAnn 5"\nd@b.org\tEve\n',
  );
  expect([...byKey.values()].map(({ givenName }) => givenName)).toEqual([
    'Robert "Bob"',
    'Ann',
    'Eve',
  ]);
});
