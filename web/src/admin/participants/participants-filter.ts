import { AttemptStatus } from '@invigil/core/contract/attempts/own-participant';
import { PARTICIPANT_SORTS, Verdict } from '@invigil/core/contract/review/participants';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { z } from 'zod';

export type ParticipantSort = (typeof PARTICIPANT_SORTS)[number];
export type ParticipantStatus = z.infer<typeof AttemptStatus>;

const Review = z.enum(['open', ...Verdict.options]);
/** `open`: waits for a reviewer; otherwise the recorded verdict. */
export type ParticipantReview = z.infer<typeof Review>;

/** The view of the list; stored in the URL, so that it can be shared and reloaded. */
export interface ParticipantsFilter {
  quizId: string | null;
  status: ParticipantStatus | null;
  review: ParticipantReview | null;
  search: string;
  sort: ParticipantSort;
  order: 'asc' | 'desc';
  /** counted from 1 */
  page: number;
  rows: number;
}

export const NO_FILTER: ParticipantsFilter = {
  quizId: null,
  status: null,
  review: null,
  search: '',
  sort: 'startedAt',
  order: 'desc',
  page: 1,
  rows: SCREEN_LIMITS.pageSizeDefault,
};

const PAGE_SIZES: readonly number[] = SCREEN_LIMITS.pageSizes;

/** Reads the filter from the URL; ignores invalid values. */
export function filterFrom(search: URLSearchParams): ParticipantsFilter {
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
    schema.safeParse(search.get(name)).data;
  const page = read('page', z.coerce.number().int().min(1).max(1_000_000));
  const rows = read(
    'rows',
    z.coerce.number().refine((n) => PAGE_SIZES.includes(n)),
  );
  return {
    quizId: read('quizId', z.guid()) ?? NO_FILTER.quizId,
    status: read('status', AttemptStatus) ?? NO_FILTER.status,
    review: read('review', Review) ?? NO_FILTER.review,
    search: read('search', z.string().max(320)) ?? NO_FILTER.search,
    sort: read('sort', z.enum(PARTICIPANT_SORTS)) ?? NO_FILTER.sort,
    order: read('order', z.enum(['asc', 'desc'])) ?? NO_FILTER.order,
    page: page ?? NO_FILTER.page,
    rows: rows ?? NO_FILTER.rows,
  };
}

/** The URL of a filter: only differences from the default view. */
export function searchOf(filter: ParticipantsFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of [
    'quizId',
    'status',
    'review',
    'search',
    'sort',
    'order',
    'page',
    'rows',
  ] as const) {
    const value = filter[name];
    if (value !== null && value !== NO_FILTER[name]) search.set(name, String(value));
  }
  return search;
}

export function isFiltered({ quizId, status, review, search }: ParticipantsFilter): boolean {
  return quizId !== null || status !== null || review !== null || search !== '';
}

export function queryOf({ quizId, status, review, search, sort, order }: ParticipantsFilter) {
  return {
    ...(quizId === null ? {} : { quizId }),
    ...(status === null ? {} : { status }),
    ...(review === null ? {} : { review }),
    ...(search === '' ? {} : { search }),
    sort,
    order,
  };
}

/** A new column starts in its natural direction, the same one is reversed. */
export function sortedBy(filter: ParticipantsFilter, sort: ParticipantSort): ParticipantsFilter {
  const first = sort === 'userEmail' || sort === 'quizTitle' || sort === 'status' ? 'asc' : 'desc';
  const order = filter.sort !== sort ? first : filter.order === 'asc' ? 'desc' : 'asc';
  return { ...filter, sort, order, page: 1 };
}

/** `Showing x to y of z entries` (specification 2). */
export function entriesSentence(page: number, rows: number, total: number): string {
  const from = total === 0 ? 0 : (page - 1) * rows + 1;
  const to = Math.min(page * rows, total);
  return `Showing ${from} to ${to} of ${total} entries`;
}
