import { BankQuery } from '@invigil/core/contract/assessments/bank';
import { DIFFICULTIES, QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { z } from 'zod';

const STATES = ['active', 'draft', 'archived'] as const;

/** Each filter in the URL; what is not valid there is ignored. */
const FIELDS = {
  search: z.string().trim().min(1).max(320),
  tag: BankQuery.shape.tag.unwrap().min(1),
  type: z.enum(QUESTION_TYPES),
  categoryId: z.guid(),
  difficulty: z.enum(DIFFICULTIES),
  quizId: z.guid(),
  use: z.enum(['never', 'bank']),
};

export interface BankMatch {
  search?: string | undefined;
  tag?: string | undefined;
  type?: (typeof QUESTION_TYPES)[number] | undefined;
  categoryId?: string | undefined;
  difficulty?: (typeof DIFFICULTIES)[number] | undefined;
  quizId?: string | undefined;
  /** On no paper yet, or in no assessment. */
  use?: 'never' | 'bank' | undefined;
  state: (typeof STATES)[number];
}

/** The view of the bank; stored in the URL, so that it can be shared and reloaded. */
export interface BankFilter extends BankMatch {
  isDuplicates: boolean;
  /** Counted from 1. */
  page: number;
}

export const NO_BANK_FILTER: BankFilter = { state: 'active', isDuplicates: false, page: 1 };

export const BANK_PAGE_ROWS = 50;

/** Reads the filter from the URL. */
export function bankFilterFrom(address: URLSearchParams): BankFilter {
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
    schema.safeParse(address.get(name)).data;
  return {
    search: read('search', FIELDS.search),
    tag: read('tag', FIELDS.tag),
    type: read('type', FIELDS.type),
    categoryId: read('categoryId', FIELDS.categoryId),
    difficulty: read('difficulty', FIELDS.difficulty),
    quizId: read('quizId', FIELDS.quizId),
    use: read('use', FIELDS.use),
    state: read('state', z.enum(STATES)) ?? NO_BANK_FILTER.state,
    isDuplicates: address.get('view') === 'duplicates',
    page: read('page', z.coerce.number().int().min(1).max(1_000_000)) ?? NO_BANK_FILTER.page,
  };
}

/** The URL of a filter: only differences from the default view. */
export function addressOfBank(filter: Partial<BankFilter>): URLSearchParams {
  const address = new URLSearchParams();
  for (const name of [
    'search',
    'tag',
    'type',
    'categoryId',
    'difficulty',
    'quizId',
    'use',
    'state',
    'page',
  ] as const) {
    const value = filter[name];
    if (value && value !== NO_BANK_FILTER[name as 'state' | 'page']) {
      address.set(name, String(value));
    }
  }
  if (filter.isDuplicates) address.set('view', 'duplicates');
  return address;
}

/** The server query of a filter, without the page. */
export function matchOf({ isDuplicates: _, page: __, ...match }: BankFilter): BankMatch {
  return match;
}

export function isNarrowed(filter: BankFilter): boolean {
  return addressOfBank({ ...filter, page: 1 }).size > 0;
}
