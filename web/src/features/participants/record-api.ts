import { listLateAnswers } from '@invigil/core/contract/answers';
import { type EvidenceSummary, readEvidence } from '@invigil/core/contract/evidence-views';
import {
  getParticipantRecord,
  giveVerdict,
  type ParticipantRecord,
} from '@invigil/core/contract/participant-record';
import {
  endParticipant,
  erasePerson,
  exportPerson,
  extendParticipant,
  noteParticipant,
  replaceParticipant,
  sendMessage,
  type Verdict,
} from '@invigil/core/contract/participants';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, callForFile } from '../../lib/api.ts';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { fileNameFrom, saveFile } from '../../lib/file-download.ts';
import { isEnding } from './record-events.ts';

/** An attempt that was told to end is looked at again until it has. */
const ENDING_REFRESH_MS = 3_000;
/** A running one is looked at often enough to follow it; equal parts are not drawn again. */
const RUNNING_REFRESH_MS = 15_000;

export function useRecord(id: string) {
  const query = endpointQuery(getParticipantRecord, { params: { id } });
  return useQuery({
    ...query,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => {
      if (data?.participant.status !== 'in_progress') return false;
      return isEnding(data) ? ENDING_REFRESH_MS : RUNNING_REFRESH_MS;
    },
  });
}

export function useLateAnswers(id: string) {
  return useQuery(endpointQuery(listLateAnswers, { params: { id } }));
}

/** What an administrator can do with an attempt; each is audited with its reason. */
export type Deed =
  | { kind: 'extend'; minutes: number; reason: string }
  | { kind: 'end'; reason: string }
  | { kind: 'replace'; how: 'another' | 'reinstate'; reason: string }
  | { kind: 'erase'; reason: string };

export function useDeed({ id, userId }: ParticipantRecord['participant']) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (deed: Deed): Promise<void> => {
      const { reason } = deed;
      const params = { id };
      switch (deed.kind) {
        case 'extend': {
          const { minutes } = deed;
          await callEndpoint(extendParticipant, { params, body: { minutes, reason } });
          break;
        }
        case 'end':
          await callEndpoint(endParticipant, { params, body: { reason } });
          break;
        case 'replace':
          await callEndpoint(replaceParticipant, { params, body: { how: deed.how, reason } });
          break;
        case 'erase':
          await callEndpoint(erasePerson, { params: { id: userId }, body: { reason } });
          break;
      }
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['api', 'participants'] }),
        client.invalidateQueries({ queryKey: ['api', 'stats'] }),
      ]),
  });
}

export function useSendMessage(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => callEndpoint(sendMessage, { params: { id }, body: { text } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api', 'participants'] }),
  });
}

/** Stills and level curves of one moment. Read once: each reading is a view that is logged. */
export function useEvidence(summaries: readonly EvidenceSummary[]) {
  const results = useQueries({
    queries: summaries.map(({ id }) => endpointQuery(readEvidence, { params: { id } })),
  });
  return {
    evidence: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: results.find(({ isError }) => isError)?.error ?? null,
    isPending: results.some(({ isPending }) => isPending),
    isFetching: results.some(({ isFetching }) => isFetching),
    again: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

export function useGiveVerdict(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { verdict: Verdict; note: string }) =>
      callEndpoint(giveVerdict, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api', 'participants'] }),
  });
}

export function useSaveNote(id: string) {
  const client = useQueryClient();
  const { queryKey } = endpointQuery(getParticipantRecord, { params: { id } });
  return useMutation({
    mutationFn: (note: string) => callEndpoint(noteParticipant, { params: { id }, body: { note } }),
    onSuccess: ({ note }) =>
      client.setQueryData<ParticipantRecord>(queryKey, (record) =>
        record === undefined ? record : { ...record, note },
      ),
  });
}

/** Everything kept about the person, saved under the name the server gives it. */
export async function downloadPersonData(userId: string): Promise<void> {
  const response = await callForFile(exportPerson, { params: { id: userId } });
  const name = fileNameFrom(response.headers.get('content-disposition'), 'person.json');
  saveFile(await response.blob(), name);
}
