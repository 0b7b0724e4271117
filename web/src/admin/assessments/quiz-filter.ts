import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { z } from 'zod';

export const QUIZ_SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'title', label: 'Title A to Z' },
  { value: 'category', label: 'Category' },
  { value: 'endDate', label: 'End date, soonest first' },
] as const;
export type QuizSort = (typeof QUIZ_SORTS)[number]['value'];

const QUIZ_STATUSES = ['active', 'ended', 'inactive'] as const;
export type QuizStatus = (typeof QUIZ_STATUSES)[number];

/** Ended: the end date has passed, so it is not active regardless of its switch. */
export function statusOf({ isActive, isOpen }: Pick<Quiz, 'isActive' | 'isOpen'>): QuizStatus {
  if (!isActive) return 'inactive';
  return isOpen ? 'active' : 'ended';
}

export interface QuizFilter {
  search: string;
  /** `null`: any */
  categoryId: string | null;
  status: QuizStatus | null;
  sort: QuizSort;
}

export const NO_QUIZ_FILTER: QuizFilter = {
  search: '',
  categoryId: null,
  status: null,
  sort: 'newest',
};

const QuizFilterFromUrl = {
  search: z.string().max(200),
  categoryId: z.guid(),
  status: z.enum(QUIZ_STATUSES),
  sort: z.enum(QUIZ_SORTS.map(({ value }) => value)),
};

/** Reads the filter from the URL; ignores invalid values. */
export function quizFilterFrom(address: URLSearchParams): QuizFilter {
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
    schema.safeParse(address.get(name)).data;
  return {
    search: read('search', QuizFilterFromUrl.search) ?? NO_QUIZ_FILTER.search,
    categoryId: read('categoryId', QuizFilterFromUrl.categoryId) ?? NO_QUIZ_FILTER.categoryId,
    status: read('status', QuizFilterFromUrl.status) ?? NO_QUIZ_FILTER.status,
    sort: read('sort', QuizFilterFromUrl.sort) ?? NO_QUIZ_FILTER.sort,
  };
}

/** The URL of a filter: only differences from the default view. */
export function addressOf(filter: QuizFilter): URLSearchParams {
  const address = new URLSearchParams();
  for (const name of ['search', 'categoryId', 'status', 'sort'] as const) {
    const value = filter[name];
    if (value !== null && value !== NO_QUIZ_FILTER[name]) address.set(name, value);
  }
  return address;
}

const byName = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

const ORDERS: Record<QuizSort, (a: Quiz, b: Quiz) => number> = {
  newest: (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
  title: (a, b) => byName.compare(a.title, b.title),
  category: (a, b) => byName.compare(a.category, b.category) || byName.compare(a.title, b.title),
  endDate: (a, b) => endOf(a) - endOf(b) || byName.compare(a.title, b.title),
};

const NEVER_MS = 8.64e15;
const endOf = (quiz: Quiz) => (quiz.endDate === null ? NEVER_MS : Date.parse(quiz.endDate));

/** The matching assessments, sorted. Title or description must contain each search term. */
export function filterQuizzes(quizzes: readonly Quiz[], filter: QuizFilter): Quiz[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return quizzes
    .filter((quiz) => {
      const text = `${quiz.title} ${quiz.description ?? ''}`.toLowerCase();
      return (
        words.every((word) => text.includes(word)) &&
        (filter.categoryId === null || quiz.categoryId === filter.categoryId) &&
        (filter.status === null || statusOf(quiz) === filter.status)
      );
    })
    .sort(ORDERS[filter.sort]);
}
