import {
  checkStructure,
  getStructure,
  setStructure,
} from '@invigil/core/contract/assessments/structure';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, type SentBody } from '../../net/api.ts';
import { endpointKey, endpointQuery, replaceCached } from '../../net/endpoint-query.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { QUIZZES, quizQuery } from './assessments.ts';

const CHECK_PAUSE_MS = 400;

export function useStructure(quizId: string) {
  const query = endpointQuery(getStructure, { params: { id: quizId } });
  return useQuery({ ...query, gcTime: 0 });
}

export function useSetStructure(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<typeof setStructure>) =>
      callEndpoint(setStructure, { params: { id: quizId }, body }),
    onSuccess: async (saved) => {
      const key = endpointKey(getStructure, { params: { id: quizId } });
      await replaceCached(client, key, saved);
      await client.invalidateQueries({ queryKey: QUIZZES.queryKey, exact: true });
      await client.invalidateQueries({ queryKey: quizQuery(quizId).queryKey, exact: true });
    },
  });
}

/** How many questions qualify for each entry, once typing pauses; `null` asks nothing. */
export function useStructureCheck(quizId: string, structure: QuizStructure | null) {
  const wanted = JSON.stringify(structure);
  const asked = useSettled(wanted, CHECK_PAUSE_MS);
  const check = useQuery({
    queryKey: [...endpointKey(checkStructure, { params: { id: quizId } }), asked],
    enabled: structure !== null && structure.sections.length > 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      callEndpoint(checkStructure, {
        params: { id: quizId },
        body: { structure: structure ?? { sections: [] } },
        signal,
      }),
  });
  return asked === wanted ? check.data : undefined;
}
