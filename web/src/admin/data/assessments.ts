import {
  type Category,
  createCategory,
  listCategories,
} from '@invigil/core/contract/assessments/categories';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  type CreateQuizBody,
  createQuiz,
  deleteQuiz,
  duplicateQuiz,
  getQuiz,
  listQuizzes,
  type UpdateQuizBody,
  updateQuiz,
} from '@invigil/core/contract/assessments/quizzes';
import { getSmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import { inviteToQuiz, listInvitations } from '@invigil/core/contract/invitations/invitations';
import { listOutbox } from '@invigil/core/contract/invitations/outbox';
import { getStats, listQuizFigures } from '@invigil/core/contract/review/stats';
import { may, type Permission } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { answerWasLost, callEndpoint } from '../../net/api.ts';
import {
  changeCached,
  endpointKey,
  endpointQuery,
  replaceCached,
} from '../../net/endpoint-query.ts';
import { toast } from '../../ui/toast.ts';
import type { Wording } from './invitation-wording.ts';
import { useMay, useOwnGrants } from './own-rights.ts';
import { showFailure } from './show-failure.ts';

export const QUIZZES = endpointQuery(listQuizzes, {});
const CATEGORIES = endpointQuery(listCategories, {});
const SMTP = endpointQuery(getSmtpSettings, {});

export function useQuizzes() {
  return useQuery(QUIZZES);
}

/** The assessments to select from. */
export const useQuizOptions = () =>
  (useQuizzes().data ?? []).map(({ id, title }) => ({ value: id, label: title }));

/** The same without those for practice, which have no attempts. */
export const useTakenQuizOptions = () =>
  (useQuizzes().data ?? [])
    .filter(({ asPractice }) => asPractice === undefined)
    .map(({ id, title }) => ({ value: id, label: title }));

export const quizQuery = (id: string) => endpointQuery(getQuiz, { params: { id } });

/** One assessment, at once where the list was read; `null` reads none. */
export function useQuiz(id: string | null) {
  const client = useQueryClient();
  return useQuery({
    ...quizQuery(id ?? 'none'),
    enabled: id !== null,
    placeholderData: () =>
      client.getQueryData<Quiz[]>(QUIZZES.queryKey)?.find((quiz) => quiz.id === id),
  });
}

/** Permissions of the signed-in administrator on an assessment of which only the id is known. */
export function useMayOn(quizId: string) {
  const mayAt = useMay();
  // Only a role in a category needs to know its assessments.
  const isNeeded = useOwnGrants().some((grant) => grant.categoryId !== undefined);
  const categoryId = useQuiz(isNeeded ? quizId : null).data?.categoryId;
  return (permission: Permission) => mayAt(permission, { quizId, categoryId });
}

/** The same for one that is listed. */
export function useMayOnQuiz({ id: quizId, categoryId }: Pick<Quiz, 'id' | 'categoryId'>) {
  const mayAt = useMay();
  return (permission: Permission) => mayAt(permission, { quizId, categoryId });
}

/** Whether there is a category in which they may create an assessment. */
export const useMayCreateQuiz = () =>
  useOwnGrants().some((grant) => may([grant], 'quizzes.edit', { categoryId: grant.categoryId }));

/** How far the people of each assessment have come, by its id. */
export function useQuizFigures() {
  const { data } = useQuery(endpointQuery(listQuizFigures, {}));
  return new Map((data ?? []).map((figures) => [figures.quizId, figures]));
}

export function useCategories() {
  return useQuery(CATEGORIES);
}

/** The categories to select from. */
export const useCategoryOptions = () =>
  (useCategories().data ?? []).map(({ id, name }) => ({ value: id, label: name }));

export function useCreateCategory() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string }) => callEndpoint(createCategory, { body }),
    // Added to the list before its id is selected there.
    onSuccess: (made) =>
      changeCached(client, CATEGORIES.queryKey, (list: Category[]) => [...list, made]),
  });
}

/** `off`: configured, but switched off. `unknown`: not loaded, or loading failed. */
export type MailServerState = 'configured' | 'off' | 'missing' | 'unknown';

/**
 * The state of the mail server. Administrators without permission to see the settings get `configured`: each
 * email shows its own state.
 */
export function useMailServer(): MailServerState {
  const enabled = useMay()('installation.manage');
  const { data } = useQuery({ ...SMTP, enabled });
  if (!enabled) return 'configured';
  if (data === undefined) return 'unknown';
  if (data === null) return 'missing';
  return data.isActive ? 'configured' : 'off';
}

const changeQuizList = (client: QueryClient, change: (list: Quiz[]) => Quiz[]) =>
  changeCached(client, QUIZZES.queryKey, change);

const invalidateStats = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: endpointKey(getStats) });

export function useCreateQuiz() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.output<typeof CreateQuizBody>) => callEndpoint(createQuiz, { body }),
    onSuccess: async (quiz) => {
      await changeQuizList(client, (list) => [quiz, ...list]);
      await invalidateStats(client);
    },
  });
}

export function useUpdateQuiz(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.output<typeof UpdateQuizBody>) =>
      callEndpoint(updateQuiz, { params: { id }, body }),
    onSuccess: (saved) => storeQuiz(client, saved),
  });
}

/** Shows a changed assessment wherever it is. */
export async function storeQuiz(client: QueryClient, saved: Quiz): Promise<void> {
  await changeQuizList(client, (list) => list.map((quiz) => (quiz.id === saved.id ? saved : quiz)));
  await replaceCached(client, quizQuery(saved.id).queryKey, saved);
  await invalidateStats(client);
}

export function useDeleteQuiz() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteQuiz, { params: { id } }),
    onSuccess: async (_, id) => {
      await changeQuizList(client, (list) => list.filter((quiz) => quiz.id !== id));
      await invalidateStats(client);
    },
  });
}

/** A copy with the same settings and questions, inactive until someone has reviewed it. */
export function useDuplicateQuiz() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Quiz) => callEndpoint(duplicateQuiz, { params: { id } }),
    onSuccess: async (copy) => {
      await changeQuizList(client, (list) => [copy, ...list]);
      toast({
        title: t('list.quizDuplicated', 'Assessment duplicated'),
        description: t(
          /* {title} is that of an assessment */ 'list.copyInactive',
          '{title} is inactive.',
          { title: isolated(copy.title) },
        ),
      });
      await invalidateStats(client);
    },
    onError: (error) =>
      showFailure(t('list.duplicateFailed', 'Failed to duplicate Assessment'), error),
  });
}

export const readInvitationsAgain = (client: QueryClient, quizId: string) =>
  Promise.all([
    client.invalidateQueries({
      queryKey: endpointKey(listInvitations, { params: { id: quizId } }),
    }),
    client.invalidateQueries({ queryKey: endpointKey(listOutbox) }),
    client.invalidateQueries({ queryKey: endpointKey(listQuizFigures) }),
  ]);

export function useInvite(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { emails: string[]; sendMail?: false } & Wording) =>
      callEndpoint(inviteToQuiz, { params: { id: quizId }, body }),
    onSuccess: () => readInvitationsAgain(client, quizId),
    onError: async (error) => {
      if (answerWasLost(error)) await readInvitationsAgain(client, quizId);
    },
  });
}
