import {
  createQuestion,
  deleteQuestion,
  importQuestions,
  listQuestions,
  type Question,
  updateQuestion,
} from '@invigil/core/contract/questions';
import type { QuestionDraft } from '@invigil/core/domain/question-options';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../lib/api.ts';
import { endpointKey } from '../../lib/endpoint-query.ts';
import { changeQuestionCount } from './api.ts';

export const questionsKey = (quizId: string) =>
  endpointKey(listQuestions, { params: { id: quizId } });

/** The questions of an assessment with their keys, as administrators get them. */
export function useQuestions(quizId: string) {
  return useQuery({
    queryKey: questionsKey(quizId),
    queryFn: async ({ signal }): Promise<Question[]> => {
      const list = await callEndpoint(listQuestions, { params: { id: quizId }, signal });
      return list.flatMap((question) => ('correctAnswer' in question ? [question] : []));
    },
  });
}

function changeQuestions(
  client: QueryClient,
  quizId: string,
  change: (list: Question[]) => Question[],
) {
  client.setQueryData<Question[]>(questionsKey(quizId), (list) =>
    list === undefined ? list : change(list),
  );
}

export function useCreateQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, orderNumber }: { draft: QuestionDraft; orderNumber: number }) =>
      callEndpoint(createQuestion, {
        params: { id: quizId },
        body: { quizId, type: 'multiple_choice', ...draft, orderNumber },
      }),
    onSuccess: (question) => {
      changeQuestions(client, quizId, (list) => [...list, question]);
      changeQuestionCount(client, quizId, 1);
    },
  });
}

export function useUpdateQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, base }: { draft: QuestionDraft; base: Question }) =>
      callEndpoint(updateQuestion, {
        params: { id: quizId, questionId: base.id },
        body: {
          quizId,
          type: 'multiple_choice',
          ...draft,
          orderNumber: base.orderNumber,
          version: base.version,
        },
      }),
    onSuccess: (saved) =>
      changeQuestions(client, quizId, (list) => list.map((q) => (q.id === saved.id ? saved : q))),
  });
}

export function useDeleteQuestion(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      callEndpoint(deleteQuestion, { params: { id: quizId, questionId } }),
    onSuccess: (_, questionId) => {
      changeQuestions(client, quizId, (list) => list.filter((q) => q.id !== questionId));
      changeQuestionCount(client, quizId, -1);
    },
  });
}

export function useImportQuestions(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ drafts, after }: { drafts: QuestionDraft[]; after: number }) =>
      callEndpoint(importQuestions, {
        params: { id: quizId },
        body: {
          questions: drafts.map((draft, index) => ({
            type: 'multiple_choice',
            ...draft,
            orderNumber: after + index + 1,
          })),
        },
      }),
    onSuccess: ({ created, questions }) => {
      changeQuestions(client, quizId, (list) => [...list, ...questions]);
      changeQuestionCount(client, quizId, created);
    },
  });
}
