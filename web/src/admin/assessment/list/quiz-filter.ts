import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { compareNames } from '@invigil/core/domain/locale';
import { QUIZ_STATUSES, statusOf } from '@invigil/core/domain/quiz-status';
import { plainLetters } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { urlView } from '../../../lib/url-view.ts';

export const QUIZ_SORTS = ['newest', 'title', 'category', 'endDate'] as const;
type QuizSort = (typeof QUIZ_SORTS)[number];

/** The name of an order. */
export const SORT_NAMES: Record<QuizSort, () => string> = {
  newest: () => t(/* an order of a list */ 'portal.newestFirst', 'Newest first'),
  title: () => t(/* an order of a list */ 'assessments.order.title', 'Title A to Z'),
  category: () => t(/* an order of a list: by category */ 'portal.category', 'Category'),
  endDate: () => t(/* an order of a list */ 'assessments.order.endDate', 'End date, soonest first'),
};

/** `null`: any. */
export const QUIZZES_VIEW = urlView({
  search: z.string().max(200).catch(''),
  categoryId: z.guid().nullable().catch(null),
  status: z.enum(QUIZ_STATUSES).nullable().catch(null),
  sort: z.enum(QUIZ_SORTS).catch('newest'),
});
export const { standard: NO_QUIZ_FILTER, from: quizFilterFrom, to: addressOf } = QUIZZES_VIEW;
export type QuizFilter = typeof NO_QUIZ_FILTER;

const ORDERS: Record<QuizSort, (a: Quiz, b: Quiz) => number> = {
  newest: (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
  title: (a, b) => compareNames(a.title, b.title),
  category: (a, b) => compareNames(a.category, b.category) || compareNames(a.title, b.title),
  endDate: (a, b) => endOf(a) - endOf(b) || compareNames(a.title, b.title),
};

const NEVER_MS = 8.64e15;
const endOf = (quiz: Quiz) => (quiz.endDate === null ? NEVER_MS : Date.parse(quiz.endDate));

/** The matching assessments, sorted. Title or description must contain each search term. */
export function filterQuizzes(quizzes: readonly Quiz[], filter: QuizFilter): Quiz[] {
  const words = plainLetters(filter.search).split(/\s+/).filter(Boolean);
  return quizzes
    .filter((quiz) => {
      const text = plainLetters(`${quiz.title} ${quiz.description ?? ''}`);
      return (
        words.every((word) => text.includes(word)) &&
        (filter.categoryId === null || quiz.categoryId === filter.categoryId) &&
        (filter.status === null || statusOf(quiz, Date.now()) === filter.status)
      );
    })
    .sort(ORDERS[filter.sort]);
}
