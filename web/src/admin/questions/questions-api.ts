import { listQuestions, type Question } from '@invigil/core/contract/assessments/question-list';
import {
  createQuestion,
  deleteQuestion,
  deleteQuestions,
  importQuestions,
  updateQuestion,
} from '@invigil/core/contract/assessments/questions';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerWasLost, callEndpoint } from '../../net/api.ts';
import { changeCached } from '../../net/change-cached.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { changeQuestionCount, QUIZZES } from '../assessments/api.ts';

export const questionsKey = (quizId: string) =>
  endpointKey(listQuestions, { params: { id: quizId } });

/** The questions of an assessment with their keys, for administrators. */
export const questionsQuery = (quizId: string) => ({
  queryKey: questionsKey(quizId),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Question[]> => {
    const list = await callEndpoint(listQuestions, { params: { id: quizId }, signal });
    return list.flatMap((question) => ('correctAnswer' in question ? [question] : []));
  },
});

/** Always refetched on opening: they are printed and exported, and other administrators edit them. */
export function useQuestions(quizId: string) {
  return useQuery({ ...questionsQuery(quizId), refetchOnMount: 'always' });
}

const changeQuestions = (
  client: QueryClient,
  quizId: string,
  change: (list: Question[]) => Question[],
) => changeCached(client, questionsKey(quizId), change);

/** Refetches the questions and their count. */
function readAgain(client: QueryClient, quizId: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: questionsKey(quizId) }),
    client.invalidateQueries({ queryKey: QUIZZES.queryKey, exact: true }),
  ]);
}

/** Refetches the list after a write without a response, to show its outcome. */
const readAgainIfLost = (client: QueryClient, quizId: string) => async (error: unknown) => {
  if (answerWasLost(error)) await readAgain(client, quizId);
};

/**
 * Adds new questions to the list and returns the number of the first; `null` when the list could
 * not be read. When the server's numbers do not continue ours, someone else has added or deleted
 * some, and the list is refetched.
 */
async function takeIn(
  client: QueryClient,
  quizId: string,
  added: readonly Question[],
): Promise<number | null> {
  const known = () => client.getQueryData<Question[]>(questionsKey(quizId));
  const last = known()?.at(-1)?.orderNumber ?? 0;
  const [first] = added;
  await changeQuestions(client, quizId, (list) => [...list, ...added]);
  await changeQuestionCount(client, quizId, added.length);
  if (first?.orderNumber !== last + 1) await readAgain(client, quizId);
  const place = known()?.findIndex((question) => question.id === first?.id) ?? -1;
  return place < 0 ? null : place + 1;
}

/** Adds a question after the last one. */
export function useCreateQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (draft: QuestionDraft) => {
      const question = await callEndpoint(createQuestion, {
        params: { id: quizId },
        body: { quizId, type: 'multiple_choice', ...draft },
      });
      return { question, number: await takeIn(client, quizId, [question]) };
    },
    onError: readAgainIfLost(client, quizId),
  });
}

/** Edits a question without its position: it may have moved since it was opened. */
export function useUpdateQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, base }: { draft: QuestionDraft; base: Question }) =>
      callEndpoint(updateQuestion, {
        params: { id: quizId, questionId: base.id },
        body: { quizId, type: 'multiple_choice', ...draft, version: base.version },
      }),
    onSuccess: (saved) =>
      changeQuestions(client, quizId, (list) => list.map((q) => (q.id === saved.id ? saved : q))),
    onError: readAgainIfLost(client, quizId),
  });
}

export function useDeleteQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      callEndpoint(deleteQuestion, { params: { id: quizId, questionId } }),
    onSuccess: async (_, questionId) => {
      await changeQuestionCount(client, quizId, -1);
      await changeQuestions(client, quizId, (list) => list.filter((q) => q.id !== questionId));
    },
    onError: readAgainIfLost(client, quizId),
  });
}

/** Deletes several, all or none. */
export function useDeleteQuestions(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      callEndpoint(deleteQuestions, { params: { id: quizId }, body: { ids: [...ids] } }),
    onSuccess: async ({ deleted }, ids) => {
      await changeQuestionCount(client, quizId, -deleted);
      await changeQuestions(client, quizId, (list) => list.filter((q) => !ids.includes(q.id)));
    },
    onError: readAgainIfLost(client, quizId),
  });
}

/** Adds several after the last one, in order. */
export function useImportQuestions(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (drafts: readonly QuestionDraft[]) => {
      const body = {
        questions: drafts.map((draft) => ({ type: 'multiple_choice', ...draft })),
      };
      const { created, questions } = await callEndpoint(importQuestions, {
        params: { id: quizId },
        body,
      });
      await takeIn(client, quizId, questions);
      return { created, ids: questions.map(({ id }) => id) };
    },
    onError: readAgainIfLost(client, quizId),
  });
}
