import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { duplicateQuiz } from '@invigil/core/contract/assessments/quizzes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, sentenceOf } from '../../../net/api.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { changeQuizList } from '../api.ts';

/** A copy with the same settings and questions, inactive until someone has reviewed it. */
export function useDuplicateQuiz() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Quiz) => callEndpoint(duplicateQuiz, { params: { id } }),
    onSuccess: async (copy) => {
      await changeQuizList(client, (list) => [copy, ...list]);
      toast({ title: 'Assessment duplicated', description: `${copy.title} is inactive.` });
      await client.invalidateQueries({ queryKey: ['api', 'stats'] });
    },
    onError: (error) =>
      toast({
        title: 'Failed to duplicate Assessment',
        description: sentenceOf(error),
        variant: 'destructive',
      }),
  });
}
