import {
  BankQuery,
  type BankQuestion,
  changeBankQuestions,
  listBank,
  listDuplicates,
  listTags,
} from '@invigil/core/contract/assessments/bank';
import { checkExport, exportQuestions } from '@invigil/core/contract/assessments/imports';
import type { BodyOf, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import {
  DIFFICULTIES,
  type Difficulty,
  QUESTION_TYPES,
} from '@invigil/core/domain/questions/question-definition';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PageNumber, urlView } from '../../lib/url-view.ts';
import { callEndpoint } from '../../net/api.ts';
import { endpointQuery, pageQuery } from '../../net/endpoint-query.ts';
import { toast } from '../../ui/toast.ts';
import { downloadFile } from './downloads.ts';
import { useQuestionWrite } from './questions.ts';
import { undoBy } from './show-failure.ts';

/** How difficult a question is, in words. */
export const DIFFICULTY_NAMES: Record<Difficulty, () => string> = {
  easy: () => t(/* of a question */ 'portal.easy', 'Easy'),
  medium: () => t(/* of a question: between easy and hard */ 'portal.medium', 'Medium'),
  hard: () => t(/* of a question */ 'portal.hard', 'Hard'),
};

export function useBank(match: BankMatch, page: number, rows = BANK_PAGE_ROWS, enabled = true) {
  const query = { ...match, limit: rows, offset: (page - 1) * rows };
  return useQuery({
    ...pageQuery(listBank, { query }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** An assessment's own questions and those that its sections name; none until they are loaded. */
export function useQuestionsUsedIn(quizId: string): readonly BankQuestion[] {
  return useBank({ quizId, state: 'active' }, 1, BULK_MAX).data?.rows ?? [];
}

export const BULK_MAX = REQUEST_LIMITS.listRowsMax;

export async function findBankIds(match: BankMatch): Promise<string[]> {
  const rows = await callEndpoint(listBank, { query: { ...match, limit: BULK_MAX } });
  return rows.map(({ id }) => id);
}

export function useDuplicates(enabled: boolean) {
  return useQuery({ ...endpointQuery(listDuplicates, {}), enabled });
}

export function useTags() {
  return useQuery(endpointQuery(listTags, {}));
}

export type BankChange = Omit<BodyOf<typeof changeBankQuestions>, 'ids'>;

/** Changes questions of the bank; `undo` of its answer takes labels and archiving back. */
export function useChangeBank() {
  const change = useQuestionWrite((body: BodyOf<typeof changeBankQuestions>) =>
    callEndpoint(changeBankQuestions, { body }),
  );
  const takeBack = async (changes: ResponseOf<typeof changeBankQuestions>['undo']) => {
    for (const body of changes) await change.mutateAsync(body);
    toast({ title: t('list.changeUndone', 'Change undone') });
  };
  return {
    isPending: change.isPending,
    change: async (ids: readonly string[], wanted: BankChange) => {
      const { changed, undo } = await change.mutateAsync({ ids: [...ids], ...wanted });
      return { changed, undo: undo.length === 0 ? undefined : undoBy(() => takeBack(undo)) };
    },
  };
}

export function useExportCheck(match: BankMatch, format: ExportFormat) {
  return useQuery({
    ...endpointQuery(checkExport, { query: { ...match, format } }),
    gcTime: 0,
  });
}

export async function downloadQuestions(match: BankMatch, format: ExportFormat): Promise<void> {
  const query = { ...match, format };
  await downloadFile(
    {
      name: t(/* a file that is downloaded */ 'portal.questions', 'Questions'),
      fallback: 'questions',
    },
    exportQuestions,
    { query },
  );
}

/** Absent: any. */
export const BANK_VIEW = urlView({
  search: z.string().trim().min(1).max(320).optional().catch(undefined),
  tag: BankQuery.shape.tag.unwrap().min(1).optional().catch(undefined),
  type: z.enum(QUESTION_TYPES).optional().catch(undefined),
  categoryId: z.guid().optional().catch(undefined),
  difficulty: z.enum(DIFFICULTIES).optional().catch(undefined),
  quizId: z.guid().optional().catch(undefined),
  /** `never`: on no paper yet; `bank`: in no assessment. */
  use: z.enum(['never', 'bank']).optional().catch(undefined),
  state: z.enum(['active', 'draft', 'archived']).catch('active'),
  /** Only questions of the import at this moment. */
  createdAt: z.iso.datetime().optional().catch(undefined),
  page: PageNumber,
  /** Groups of equal questions instead of the list. */
  view: z.literal('duplicates').optional().catch(undefined),
});
export const { standard: NO_BANK_FILTER, from: bankFilterFrom, to: addressOfBank } = BANK_VIEW;
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
