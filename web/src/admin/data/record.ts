import { listLateAnswers } from '@invigil/core/contract/attempts/answers';
import { readEvidence } from '@invigil/core/contract/attempts/evidence-views';
import {
  getParticipantRecord,
  giveVerdict,
  type ParticipantRecord,
} from '@invigil/core/contract/review/participant-record';
import {
  endParticipant,
  listParticipants,
  type MessageBody,
  noteParticipant,
  replaceParticipant,
} from '@invigil/core/contract/review/participants';
import { getStats } from '@invigil/core/contract/review/stats';
import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { presence, useReturn } from '../../lib/person/presence.ts';
import { ApiError, callEndpoint, PageError, readEndpoint, type SentBody } from '../../net/api.ts';
import { changeCached, endpointKey, endpointQuery } from '../../net/endpoint-query.ts';
import { type ActionBody, useApplyOnce } from './actions.ts';

const PARTICIPANTS = endpointKey(listParticipants);

/** An attempt that is ending is polled until it has ended. */
const ENDING_REFRESH_MS = 3_000;
/**
 * A running attempt is polled often enough to follow it; unchanged parts are not rendered again.
 */
const RUNNING_REFRESH_MS = 15_000;

/** An end was requested but has not happened yet. */
export function isEnding({ participant, events }: ParticipantRecord): boolean {
  return participant.status === 'in_progress' && events.some(({ kind }) => kind === 'ending');
}

export function useRecord(id: string) {
  const query = endpointQuery(getParticipantRecord, { params: { id } });
  const record = useQuery({
    ...query,
    refetchInterval: ({ state: { data } }) => {
      if (data?.participant.status !== 'in_progress') return false;
      return presence.whileThere(isEnding(data) ? ENDING_REFRESH_MS : RUNNING_REFRESH_MS);
    },
  });
  useReturn(record.refetch);
  return record;
}

export function useLateAnswers(id: string) {
  return useQuery(endpointQuery(listLateAnswers, { params: { id } }));
}

type Action =
  | { kind: 'extend'; minutes: number; reason: string }
  | { kind: 'end'; reason: string; message?: string }
  | { kind: 'replace'; how: 'another' | 'reinstate'; minutes?: number; reason: string };

/** Applies to one attempt what adds up: a retry after a lost answer does not apply it again. */
function useOnce(id: string) {
  const apply = useApplyOnce();
  return async (action: ActionBody['action'], reason?: string): Promise<void> => {
    const body = { ids: [id], action, ...(reason === undefined ? {} : { reason }) };
    const [refusal] = (await apply(body)).refused;
    if (refusal !== undefined) throw new PageError(refusal.message);
  };
}

export function useAction({ id }: ParticipantRecord['participant']) {
  const client = useQueryClient();
  const act = useOnce(id);
  return useMutation({
    mutationFn: async (action: Action): Promise<void> => {
      const { reason } = action;
      const params = { id };
      switch (action.kind) {
        case 'extend':
          await act({ kind: 'extend', minutes: action.minutes }, reason);
          break;
        case 'end':
          await callEndpoint(endParticipant, { params, body: { reason, message: action.message } });
          break;
        case 'replace': {
          const { how, minutes } = action;
          await callEndpoint(replaceParticipant, { params, body: { how, minutes, reason } });
          break;
        }
      }
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: PARTICIPANTS }),
        client.invalidateQueries({ queryKey: endpointKey(getStats) }),
      ]),
  });
}

export function useSendMessage(id: string) {
  const client = useQueryClient();
  const act = useOnce(id);
  return useMutation({
    mutationFn: (message: z.output<typeof MessageBody>) => act({ kind: 'message', ...message }),
    onSuccess: () => client.invalidateQueries({ queryKey: PARTICIPANTS }),
  });
}

/** The key includes the uploads: a running attempt may add more. */
export function evidenceKey(of: EvidenceOf, uploads: readonly string[]): QueryKey {
  return [...endpointKey(readEvidence, { query: queryOf(of) }), uploads];
}

const queryOf = ({ participantId, violationId }: EvidenceOf) => ({
  participantId,
  ...(violationId === null ? {} : { violationId }),
});

/** The evidence of a violation, or without one the periodic stills. */
export interface EvidenceOf {
  participantId: string;
  violationId: string | null;
}

/**
 * Stills and level curves of a violation, page by page. Read once for the same uploads, because each read
 * is logged as a view. The previous result is shown while more is loading.
 */
export function useEvidence(whose: EvidenceOf, uploads: readonly string[]) {
  const of = queryOf(whose);
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: evidenceKey(whose, uploads),
      placeholderData: keepPreviousData,
      refetchOnMount: true,
      initialPageParam: null as string | null,
      queryFn: async ({ pageParam, signal }) => {
        const query = pageParam === null ? of : { ...of, after: pageParam };
        return (await readEndpoint(readEvidence, { query }, signal)).body;
      },
      getNextPageParam: ({ next }) => next,
    });
  return {
    evidence: data?.pages.flatMap((page) => page.evidence) ?? [],
    unreadable: data?.pages.reduce((sum, page) => sum + page.unreadable, 0) ?? 0,
    error,
    isPending,
    isFetching,
    hasMore: hasNextPage,
    /** Loads the next page; after a failure retries it. Reads nothing twice. */
    more: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}

export function useGiveVerdict(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<typeof giveVerdict>) =>
      callEndpoint(giveVerdict, { params: { id }, body }),
    // Also after a refusal: someone else has given one, which is shown then.
    onSettled: () => client.invalidateQueries({ queryKey: PARTICIPANTS }),
  });
}

/** The note stored by someone else, if our save was refused because of it. */
export function otherNoteIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'STALE') return undefined;
  const { note } = error.details;
  return typeof note === 'string' ? note : undefined;
}

export function useSaveNote(id: string) {
  const client = useQueryClient();
  const { queryKey } = endpointQuery(getParticipantRecord, { params: { id } });
  const keep = (note: string) =>
    changeCached<ParticipantRecord>(client, queryKey, (record) => ({ ...record, note }));
  return useMutation({
    /** `from`: the note it was based on; refused if another one was stored since then. */
    mutationFn: (body: { note: string; from: string }) =>
      callEndpoint(noteParticipant, { params: { id }, body }),
    onSuccess: ({ note }) => keep(note),
    onError: async (error) => {
      const other = otherNoteIn(error);
      if (other !== undefined) await keep(other);
    },
  });
}
