import { BankQuery } from '@invigil/core/contract/assessments/bank';
import { DIFFICULTIES, QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { z } from 'zod';
import { PageNumber, urlView } from '../url-view.ts';

/** Absent: any. */
export const {
  standard: NO_BANK_FILTER,
  from: bankFilterFrom,
  to: addressOfBank,
} = urlView({
  search: z.string().trim().min(1).max(320).optional().catch(undefined),
  tag: BankQuery.shape.tag.unwrap().min(1).optional().catch(undefined),
  type: z.enum(QUESTION_TYPES).optional().catch(undefined),
  categoryId: z.guid().optional().catch(undefined),
  difficulty: z.enum(DIFFICULTIES).optional().catch(undefined),
  quizId: z.guid().optional().catch(undefined),
  /** On no paper yet, or in no assessment. */
  use: z.enum(['never', 'bank']).optional().catch(undefined),
  state: z.enum(['active', 'draft', 'archived']).catch('active'),
  page: PageNumber,
  /** Groups of equal questions instead of the list. */
  view: z.literal('duplicates').optional().catch(undefined),
});
export type BankFilter = typeof NO_BANK_FILTER;
export type BankMatch = Omit<BankFilter, 'page' | 'view'>;

export const BANK_PAGE_ROWS = 50;

/** The server query of a filter, without the page. */
export function matchOf({ view: _, page: __, ...match }: BankFilter): BankMatch {
  return match;
}

export function isNarrowed(filter: BankFilter): boolean {
  return addressOfBank({ ...filter, page: 1 }).size > 0;
}
