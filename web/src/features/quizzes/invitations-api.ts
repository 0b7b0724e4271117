import {
  type Invitation,
  listInvitations,
  previewInvitation,
  resendInvitations,
  revokeInvitations,
  updateInvitation,
} from '@invigil/core/contract/invitations';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerWasLost, callEndpoint, readEndpoint } from '../../lib/api.ts';
import { endpointKey } from '../../lib/endpoint-query.ts';
import { DELIVERY_REFRESH_MS, isOnItsWay } from '../../lib/mail-on-its-way.ts';
import { presence, useReturn } from '../../lib/presence.ts';
import { readInvitationsAgain } from './api.ts';
import type { Wording } from './invitation-wording.ts';

export const INVITATIONS_PER_PAGE = 25;

export interface InvitationsPage {
  rows: Invitation[];
  total: number;
}

const isExpected = ({ mail, revokedAt }: Invitation) =>
  revokedAt === null && isOnItsWay(mail?.state);

/** A page of the people invited to an assessment, newest first. */
export function useInvitations(quizId: string, search: string, page: number) {
  const read = {
    params: { id: quizId },
    query: {
      ...(search === '' ? {} : { search }),
      limit: INVITATIONS_PER_PAGE,
      offset: (page - 1) * INVITATIONS_PER_PAGE,
    },
  };
  const invitations = useQuery<InvitationsPage>({
    queryKey: endpointKey(listInvitations, read),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.rows.some(isExpected) === true && presence.whileThere(DELIVERY_REFRESH_MS),
    queryFn: async ({ signal }): Promise<InvitationsPage> => {
      const { body, headers } = await readEndpoint(listInvitations, read, signal);
      const total = Number(headers.get('x-total-count') ?? body.length);
      return { rows: body, total: Number.isFinite(total) ? total : body.length };
    },
  });
  useReturn(invitations.refetch);
  return invitations;
}

/** What follows a write: the list is read again, also where its answer was lost on the way. */
function useReadAgain(quizId: string) {
  const client = useQueryClient();
  return {
    onSuccess: () => readInvitationsAgain(client, quizId),
    onError: async (error: unknown) => {
      if (answerWasLost(error)) await readInvitationsAgain(client, quizId);
    },
  };
}

export function useResend(quizId: string) {
  const after = useReadAgain(quizId);
  return useMutation({
    mutationFn: (body: { ids: string[] } & Wording) =>
      callEndpoint(resendInvitations, { params: { id: quizId }, body }),
    ...after,
  });
}

export function useRevoke(quizId: string) {
  const after = useReadAgain(quizId);
  return useMutation({
    mutationFn: (ids: string[]) =>
      callEndpoint(revokeInvitations, { params: { id: quizId }, body: { ids } }),
    ...after,
  });
}

export interface Accommodations {
  extraTimeFactor: number;
  cameraEnabled: boolean;
  microphoneEnabled: boolean;
  reason: string;
}

export function useAccommodate({ id, quizId }: Invitation) {
  const after = useReadAgain(quizId);
  return useMutation({
    mutationFn: (body: Accommodations) => callEndpoint(updateInvitation, { params: { id }, body }),
    ...after,
  });
}

/** The message as it will be sent. */
export function useInvitePreview(quizId: string) {
  return useMutation({
    mutationFn: (body: Wording) =>
      callEndpoint(previewInvitation, { params: { id: quizId }, body }),
  });
}
