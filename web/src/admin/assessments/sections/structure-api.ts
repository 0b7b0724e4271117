import {
  checkStructure,
  getStructure,
  setStructure,
} from '@invigil/core/contract/assessments/structure';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callEndpoint, type SentBody } from '../../../net/api.ts';
import { endpointKey, endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { QUIZZES, quizQuery } from '../api.ts';
import { type SectionDraft, structureOf } from './sections-draft.ts';

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

/** How many questions qualify for each entry, once typing pauses. Titles do not matter to it. */
export function useStructureCheck(quizId: string, sections: readonly SectionDraft[] | null) {
  const untitled = sections?.map((section) => ({ ...section, title: 'Section' })) ?? [];
  const wanted = JSON.stringify(structureOf(untitled));
  const [structure, setStructure] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setStructure(wanted), CHECK_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const check = useQuery({
    queryKey: [...endpointKey(checkStructure, { params: { id: quizId } }), structure],
    enabled: sections !== null && sections.length > 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      callEndpoint(checkStructure, {
        params: { id: quizId },
        body: { structure: structureOf(untitled) },
        signal,
      }),
  });
  return structure === wanted ? check.data : undefined;
}
