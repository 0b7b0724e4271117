import { expect, test } from 'vitest';
import {
  addressOfBank,
  bankFilterFrom,
  isNarrowed,
  matchOf,
  NO_BANK_FILTER,
} from '../../data/bank.ts';

const ID = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
const read = (address: string) => bankFilterFrom(new URLSearchParams(address));

test('ignores values of the URL that are not valid', () => {
  const address = 'type=essay&categoryId=1&quizId=x&difficulty=9&use=all&state=gone&page=0&tag=';
  expect(read(address)).toEqual(NO_BANK_FILTER);
});

test('reads and writes every filter', () => {
  const address = `search=Bayes&tag=week+1&type=numeric&categoryId=${ID}&difficulty=hard&quizId=${ID}&use=never&state=draft&page=3&view=duplicates`;
  expect(read(address)).toEqual({
    search: 'Bayes',
    tag: 'week 1',
    type: 'numeric',
    categoryId: ID,
    difficulty: 'hard',
    quizId: ID,
    use: 'never',
    state: 'draft',
    page: 3,
    view: 'duplicates',
  });
  expect(addressOfBank(read(address)).toString()).toBe(address);
});

test('keeps the default view out of the URL', () => {
  expect(addressOfBank(NO_BANK_FILTER).size).toBe(0);
  expect(isNarrowed(NO_BANK_FILTER)).toBe(false);
  expect(isNarrowed({ ...NO_BANK_FILTER, page: 2 })).toBe(false);
  expect(isNarrowed({ ...NO_BANK_FILTER, state: 'archived' })).toBe(true);
});

test('asks the server for what the filter selects, without the view', () => {
  expect(matchOf(read('tag=a&page=2&view=duplicates'))).toEqual({ tag: 'a', state: 'active' });
});
