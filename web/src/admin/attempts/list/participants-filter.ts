import { AttemptStatus } from '@invigil/core/contract/attempts/own-participant';
import { PARTICIPANT_SORTS, Verdict } from '@invigil/core/contract/review/participants';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { PageNumber, urlView } from '../../../lib/url-view.ts';

export type ParticipantSort = (typeof PARTICIPANT_SORTS)[number];

const PAGE_SIZES: readonly number[] = SCREEN_LIMITS.pageSizes;

/** `null`: any. */
export const ATTEMPTS_VIEW = urlView({
  quizId: z.guid().nullable().catch(null),
  status: AttemptStatus.nullable().catch(null),
  /** `open`: waits for a reviewer; otherwise the recorded verdict. */
  review: z
    .enum(['open', ...Verdict.options])
    .nullable()
    .catch(null),
  result: z.enum(['passed', 'failed']).nullable().catch(null),
  search: z.string().max(320).catch(''),
  sort: z.enum(PARTICIPANT_SORTS).catch('startedAt'),
  order: z.enum(['asc', 'desc']).catch('desc'),
  page: PageNumber,
  rows: z.coerce
    .number()
    .refine((n) => PAGE_SIZES.includes(n))
    .catch(SCREEN_LIMITS.pageSizeDefault),
});
export const { standard: NO_FILTER, from: filterFrom, to: searchOf } = ATTEMPTS_VIEW;
export type ParticipantsFilter = typeof NO_FILTER;

export function isFiltered({
  quizId,
  status,
  review,
  result,
  search,
}: ParticipantsFilter): boolean {
  return [quizId, status, review, result].some((one) => one !== null) || search !== '';
}

export function queryOf(filter: ParticipantsFilter) {
  const { quizId, status, review, result, search, sort, order } = filter;
  return {
    ...(quizId === null ? {} : { quizId }),
    ...(status === null ? {} : { status }),
    ...(review === null ? {} : { review }),
    ...(result === null ? {} : { result }),
    ...(search === '' ? {} : { search }),
    sort,
    order,
  };
}

const TEXTS: readonly ParticipantSort[] = ['userEmail', 'userName', 'quizTitle', 'status'];

/** A new column starts in its natural direction, the same one is reversed. */
export function sortedBy(filter: ParticipantsFilter, sort: ParticipantSort): ParticipantsFilter {
  const first = TEXTS.includes(sort) ? 'asc' : 'desc';
  const order = filter.sort !== sort ? first : filter.order === 'asc' ? 'desc' : 'asc';
  return { ...filter, sort, order, page: 1 };
}

/** `Showing x to y of z entries` (specification 2). */
export function entriesSentence(page: number, rows: number, total: number): string {
  const from = total === 0 ? 0 : (page - 1) * rows + 1;
  const to = Math.min(page * rows, total);
  return t(
    /* below a list: which of its rows are shown */ 'attempts.entries',
    '{total, plural, one {Showing {from} to {to} of {count} entries} other {Showing {from} to {to} of {count} entries}}',
    { from, to, total, count: String(total) },
  );
}
