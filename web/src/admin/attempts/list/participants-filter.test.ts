import { describe, expect, test } from 'vitest';
import {
  entriesSentence,
  filterFrom,
  NO_FILTER,
  searchOf,
  sortedBy,
} from './participants-filter.ts';

const from = (search: string) => filterFrom(new URLSearchParams(search));
const QUIZ = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';

describe('the address of the list', () => {
  test.each([
    'quizId=all',
    'status=gone',
    'review=guilty',
    'sort=password',
    'order=up',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'rows=7',
    'rows=',
    `search=${'x'.repeat(321)}`,
  ])('%s means nothing', (search) => {
    expect(from(search)).toEqual(NO_FILTER);
  });

  test('contains only the selected filters', () => {
    expect(searchOf(NO_FILTER).toString()).toBe('');
    const filter = {
      quizId: QUIZ,
      status: 'completed',
      result: 'failed',
      review: 'open',
      search: 'a&b',
      sort: 'score',
      order: 'asc',
      page: 3,
      rows: 25,
    } as const;
    expect(from(searchOf(filter).toString())).toEqual(filter);
  });
});

test('starts a new column in its natural direction and reverses the same one', () => {
  const byScore = sortedBy({ ...NO_FILTER, page: 4 }, 'score');
  expect(byScore).toMatchObject({ sort: 'score', order: 'desc', page: 1 });
  expect(sortedBy(byScore, 'score').order).toBe('asc');
  expect(sortedBy(byScore, 'userEmail').order).toBe('asc');
});

test.each([
  [1, 10, 0, 'Showing 0 to 0 of 0 entries'],
  [1, 10, 7, 'Showing 1 to 7 of 7 entries'],
  [1, 10, 247, 'Showing 1 to 10 of 247 entries'],
  [25, 10, 247, 'Showing 241 to 247 of 247 entries'],
])('page %i of %i rows and %i in all', (page, rows, total, sentence) => {
  expect(entriesSentence(page, rows, total)).toBe(sentence);
});
