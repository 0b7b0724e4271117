import { listBank } from '@invigil/core/contract/assessments/bank';
import type { Question } from '@invigil/core/contract/assessments/question-list';
import { reorderQuestions } from '@invigil/core/contract/assessments/questions';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, hasCode, sentenceOf } from '../../net/api.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { questionsKey } from '../data/questions.ts';
import { showFailure } from '../data/show-failure.ts';

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
    // Moves are sent in sequence, so that the last order wins.
    scope: { id: `reorder-${quizId}` },
    onMutate: async (list) => {
      // A read in progress may have the order before this one.
      await client.cancelQueries({ queryKey: key });
      client.setQueryData<Question[]>(key, numbered(list));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: endpointKey(listBank) }),
    onError: async (error) => {
      const stale = hasCode(error, 'STALE');
      showFailure(
        t('manage.move.failed', 'Failed to move question'),
        stale
          ? t(
              'manage.move.stale',
              'Someone else has added or deleted questions. The list was reloaded.',
            )
          : sentenceOf(error),
      );
      await client.invalidateQueries({ queryKey: key });
    },
  });
}
