import type { Question } from '@invigil/core/contract/assessments/question-list';
import { reorderQuestions } from '@invigil/core/contract/assessments/questions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callEndpoint, sentenceOf } from '../../../net/api.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { questionsKey } from '../questions-api.ts';

/** The same items with one moved to another position. */
export function movedTo<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  const [moved] = rest.splice(from, 1);
  if (moved !== undefined) rest.splice(to, 0, moved);
  return rest;
}

/** Questions numbered as the server does in this order. */
export const numbered = (list: readonly Question[]): Question[] =>
  list.map((question, index) => ({ ...question, orderNumber: index + 1 }));

/** Reorders the questions: shown at once, reverted if the server refuses. */
export function useReorder(quizId: string) {
  const client = useQueryClient();
  const key = questionsKey(quizId);
  return useMutation({
    mutationFn: (list: readonly Question[]) =>
      callEndpoint(reorderQuestions, {
        params: { id: quizId },
        body: { ids: list.map((question) => question.id) },
      }),
    // In sequence, so that the last order wins.
    scope: { id: `reorder-${quizId}` },
    onMutate: (list) => {
      client.setQueryData<Question[]>(key, numbered(list));
    },
    onError: async (error) => {
      const stale = error instanceof ApiError && error.code === 'STALE';
      toast({
        title: 'Failed to move question',
        description: stale
          ? 'Someone else has added or deleted questions. The list was reloaded.'
          : sentenceOf(error),
        variant: 'destructive',
      });
      await client.invalidateQueries({ queryKey: key });
    },
  });
}
