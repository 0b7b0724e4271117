import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { statusOf } from '@invigil/core/domain/quiz-status';
import { expect, it } from 'vitest';
import { QUIZ } from '../../../testing/fixtures.ts';
import {
  addressOf,
  filterQuizzes,
  NO_QUIZ_FILTER,
  type QuizFilter,
  quizFilterFrom,
} from './quiz-filter.ts';

const quiz = (title: string, more: Partial<Quiz>): Quiz => ({
  ...QUIZ,
  id: title,
  title,
  categoryId: 'c1',
  category: 'Safety',
  createdAt: '2026-01-01T00:00:00Z',
  ...more,
});

const ALL = [
  quiz('Fire drill', { createdAt: '2026-03-01T00:00:00Z' }),
  quiz('Data basics 10', {
    description: 'About personal data',
    categoryId: 'c2',
    category: 'Law',
    endDate: '2026-09-01T00:00:00Z',
  }),
  quiz('data basics 9', { isActive: false, createdAt: '2026-02-01T00:00:00Z' }),
];
const titles = (filter: Partial<QuizFilter>) =>
  filterQuizzes(ALL, { ...NO_QUIZ_FILTER, ...filter }).map((found) => found.title);

it('searches title and description, word by word', () => {
  expect(titles({ search: ' BASICS data ' })).toEqual(['data basics 9', 'Data basics 10']);
  expect(titles({ search: 'personal' })).toEqual(['Data basics 10']);
  expect(titles({ search: 'nothing' })).toEqual([]);
});

it.each([
  ['İstanbul', ['istanbul', 'ISTANBUL']],
  ['Straße', ['STRASSE', 'straẞe']],
  ['ΟΔΟΣ', ['οδος']],
  ['Ёлка', ['ёлка']],
])('finds %s however it is typed', (title, searches) => {
  for (const search of [title, ...searches]) {
    const filter = { ...NO_QUIZ_FILTER, search };
    expect(filterQuizzes([quiz(title, {})], filter)).toHaveLength(1);
  }
});

it('filters by category and status', () => {
  expect(titles({ categoryId: 'c2' })).toEqual(['Data basics 10']);
  expect(titles({ status: 'inactive' })).toEqual(['data basics 9']);
});

it('sorts assessments without an end date last', () => {
  expect(titles({})).toEqual(['Fire drill', 'data basics 9', 'Data basics 10']);
  expect(titles({ sort: 'title' })).toEqual(['data basics 9', 'Data basics 10', 'Fire drill']);
  expect(titles({ sort: 'endDate' })[0]).toBe('Data basics 10');
  expect(titles({ sort: 'category' })[0]).toBe('Data basics 10');
});

it('stores only differences from the default view in the URL', () => {
  const filter: QuizFilter = {
    search: 'fire & water',
    categoryId: '0197a3b2-7c00-7000-8000-000000000001',
    status: 'inactive',
    sort: 'title',
  };
  expect(quizFilterFrom(new URLSearchParams(addressOf(filter).toString()))).toEqual(filter);
  expect(addressOf(NO_QUIZ_FILTER).toString()).toBe('');
});

it('reads an invalid URL as the default view', () => {
  const nonsense = new URLSearchParams('categoryId=x&status=gone&sort=random');
  expect(quizFilterFrom(nonsense)).toEqual(NO_QUIZ_FILTER);
});

it('treats an active assessment as ended after its end date, and as later before its opening', () => {
  const opensAt = '2026-05-15T10:00:00.000Z';
  const at = (moment: string) => Date.parse(moment);
  const open = { isActive: true, isOpen: true };
  expect(statusOf(open, 0)).toBe('active');
  expect(statusOf({ ...open, opensAt }, at('2026-05-15T09:59:59Z'))).toBe('opens');
  expect(statusOf({ ...open, opensAt }, at(opensAt))).toBe('active');
  expect(statusOf({ isActive: true, isOpen: false }, 0)).toBe('ended');
  expect(statusOf({ isActive: false, isOpen: false }, 0)).toBe('inactive');
});
