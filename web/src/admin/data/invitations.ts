import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Times } from '@invigil/core/contract/assessments/schedule';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  countInvitations,
  exportInvitations,
  findInvited,
  type Invitation,
  type InvitationMail,
  type InvitationResult,
  listInvitationIds,
  listInvitations,
  previewInvitation,
  readDelivery,
  remindInvitations,
  resendInvitations,
  revokeInvitations,
  updateInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { isEmailAddress } from '@invigil/core/domain/email-address';
import {
  INVITATION_SORTS,
  INVITATION_STATES,
  type InvitationState,
} from '@invigil/core/domain/invitation-states';
import { MAIL_LIMITS, REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { z } from 'zod';
import { formatDateTime } from '../../lib/format.ts';
import { DELIVERY_REFRESH_MS, isOnItsWay } from '../../lib/mail.ts';
import { presence, useReturn } from '../../lib/person/presence.ts';
import { PageNumber, urlView } from '../../lib/url-view.ts';
import { answerWasLost, callEndpoint, type SentBody } from '../../net/api.ts';
import { endpointKey, endpointQuery, pageQuery } from '../../net/endpoint-query.ts';
import { formatQuery } from '../../net/file-download.ts';
import { type MailServerState, readInvitationsAgain, useQuiz } from './assessments.ts';
import { downloadFile } from './downloads.ts';
import type { Wording } from './invitation-wording.ts';

export const INVITATIONS_PER_PAGE = 25;

function matchOf({ state, search }: Pick<InvitationsFilter, 'state' | 'search'>) {
  return { ...(state === null ? {} : { state }), ...(search === '' ? {} : { search }) };
}

export function useInvitations(quizId: string, filter: InvitationsFilter, isDelivering: boolean) {
  const read = {
    params: { id: quizId },
    query: {
      ...matchOf(filter),
      sort: filter.sort,
      limit: INVITATIONS_PER_PAGE,
      offset: (filter.page - 1) * INVITATIONS_PER_PAGE,
    },
  };
  const invitations = useQuery({
    ...pageQuery(listInvitations, read),
    placeholderData: keepPreviousData,
    refetchInterval: () => isDelivering && presence.whileThere(DELIVERY_REFRESH_MS),
  });
  useReturn(invitations.refetch);
  return invitations;
}

/** @param enabled whether the reader may see the candidates */
export function useInvitationCounts(
  quizId: string,
  search: string,
  canSend: boolean,
  enabled = true,
) {
  const read = { params: { id: quizId }, query: matchOf({ state: null, search }) };
  const counts = useQuery({
    ...endpointQuery(countInvitations, read),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      canSend &&
      data !== undefined &&
      data.queued + data.uncertain > 0 &&
      presence.whileThere(DELIVERY_REFRESH_MS),
  });
  useReturn(() => enabled && counts.refetch());
  return counts;
}

/** Finds which of some addresses were invited before. */
const NOT_KNOWN: ResponseOf<typeof findInvited> = { invited: [], extraTime: [] };

/** Which of some addresses were invited before, and who of them gets extra time. */
export function useInvitedBefore(quizId: string, addresses: readonly string[]) {
  const params = { id: quizId };
  return useQuery({
    queryKey: [...endpointKey(findInvited, { params }), addresses],
    enabled: addresses.length > 0,
    gcTime: 0,
    queryFn: async () => {
      const emails = addresses.filter(isEmailAddress).slice(0, MAIL_LIMITS.addressesFound);
      if (emails.length === 0) return NOT_KNOWN;
      return await callEndpoint(findInvited, { params, body: { emails } });
    },
  });
}

export async function findInvitationIds(
  quizId: string,
  match: { state: InvitationState | null; search: string },
): Promise<string[]> {
  const call = { params: { id: quizId }, query: matchOf(match) };
  return (await callEndpoint(listInvitationIds, call)).ids;
}

/** Reads some invitations, as far as they still exist, in the order of the list. */
export async function findPeople(quizId: string, ids: readonly string[]): Promise<Invitation[]> {
  const wanted = new Set(ids);
  const found: Invitation[] = [];
  for (let offset = 0; found.length < wanted.size; offset += REQUEST_LIMITS.listRowsMax) {
    const query = { limit: REQUEST_LIMITS.listRowsMax, offset };
    const rows = await callEndpoint(listInvitations, { params: { id: quizId }, query });
    found.push(...rows.filter(({ id }) => wanted.has(id)));
    if (rows.length < REQUEST_LIMITS.listRowsMax) break;
  }
  return found;
}

export async function downloadInvitations(
  quizId: string,
  filter: InvitationsFilter,
  format: TableFormat,
): Promise<void> {
  const call = { params: { id: quizId }, query: { ...matchOf(filter), ...formatQuery(format) } };
  const file = {
    name: t(/* a file that is downloaded */ 'list.file.invitations', 'Invitations'),
    fallback: `invitations.${format}`,
  };
  await downloadFile(file, exportInvitations, call);
}

/** The states of some invitations' messages, by invitation id: polled until each is sent or failed. */
export function useDelivery(quizId: string, ids: readonly string[], canSend: boolean) {
  const client = useQueryClient();
  const queryKey = [...endpointKey(readDelivery, { params: { id: quizId } }), ids];
  const { data } = useQuery<Record<string, InvitationMail>>({
    queryKey,
    enabled: ids.length > 0,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      canSend &&
      (state.data === undefined || ids.some((id) => isOnItsWay(state.data?.[id]?.state))) &&
      presence.whileThere(DELIVERY_REFRESH_MS),
    queryFn: async () => {
      const known = client.getQueryData<Record<string, InvitationMail>>(queryKey) ?? {};
      const open = ids.filter((id) => known[id] === undefined || isOnItsWay(known[id].state));
      if (open.length === 0) return known;
      const body = { ids: open.slice(0, REQUEST_LIMITS.listRowsMax) };
      const { mails } = await callEndpoint(readDelivery, { params: { id: quizId }, body });
      return { ...known, ...Object.fromEntries(mails.map(({ id, ...mail }) => [id, mail])) };
    },
  });
  return data ?? {};
}

/** Refetches the list after a write, even if the response was lost. */
export function useReadAgain(quizId: string) {
  const client = useQueryClient();
  return {
    onSuccess: () => readInvitationsAgain(client, quizId),
    onError: (error: unknown) => readAgainIfLost(client, quizId, error),
  };
}

async function readAgainIfLost(client: QueryClient, quizId: string, error: unknown) {
  if (answerWasLost(error)) await readInvitationsAgain(client, quizId);
}

export type SendAgainKind = 'resend' | 'remind';

export function useSendAgain(quizId: string, kind: SendAgainKind) {
  const endpoint = kind === 'resend' ? resendInvitations : remindInvitations;
  const after = useReadAgain(quizId);
  return useMutation({
    mutationFn: (body: { ids: string[] } & Wording) =>
      callEndpoint(endpoint, { params: { id: quizId }, body }),
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

export function useAccommodate({ id, quizId }: Invitation) {
  const after = useReadAgain(quizId);
  return useMutation({
    mutationFn: (body: SentBody<typeof updateInvitation>) =>
      callEndpoint(updateInvitation, { params: { id }, body }),
    ...after,
  });
}

export function useInvitePreview(quizId: string) {
  return useMutation({
    mutationFn: (body: Wording) =>
      callEndpoint(previewInvitation, { params: { id: quizId }, body }),
  });
}

export const INVITATIONS_VIEW = urlView({
  state: z.enum(INVITATION_STATES).nullable().catch(null),
  search: z.string().max(320).catch(''),
  sort: z.enum(INVITATION_SORTS).catch('invitedAt'),
  page: PageNumber,
});
export const {
  standard: NO_INVITATIONS_FILTER,
  from: invitationsFilterFrom,
  to: addressOfInvitations,
} = INVITATIONS_VIEW;
export type InvitationsFilter = typeof NO_INVITATIONS_FILTER;

/** How far an invitation is: what happened to its email, or what the candidate has done. */
export const STATE_WORDS: Record<InvitationState, () => string> = {
  queued: () =>
    t(/* the state of an invitation: of its email */ 'list.invitation.queued', 'Queued'),
  sent: () => t(/* the state of an invitation: of its email */ 'list.invitation.sent', 'Sent'),
  uncertain: () =>
    t(
      /* the state of an invitation: of its email: whether it was sent is not known */ 'list.invitation.uncertain',
      'Uncertain',
    ),
  failed: () =>
    t(/* the state of an invitation: of its email */ 'list.invitation.failed', 'Failed'),
  not_started: () =>
    t(
      /* the state of an invitation: of the candidate */ 'list.invitation.notStarted',
      'Not started',
    ),
  signed_in: () =>
    t(/* the state of an invitation: of the candidate */ 'list.invitation.signedIn', 'Signed in'),
  code_ending: () =>
    t(
      /* the state of an invitation: of the candidate: the one-time password */ 'list.invitation.codeEnding',
      'Password ends soon',
    ),
  started: () =>
    t(/* the state of an invitation: of the candidate */ 'list.invitation.started', 'Started'),
  finished: () =>
    t(/* the state of an invitation: of the candidate */ 'list.invitation.finished', 'Finished'),
  to_review: () =>
    t(
      /* the state of an invitation: of the candidate: the attempt is to be looked at */ 'list.invitation.toReview',
      'To review',
    ),
  revoked: () => t(/* the state of an invitation */ 'list.invitation.revoked', 'Revoked'),
};

/** `1 person`, `1,200 people` */
export const people = (count: number) =>
  t('list.people', '{count, plural, one {# person} other {# people}}', { count });

/** `1 invitation`, `1,200 invitations` */
export const invitations = (count: number) =>
  t('list.invitations', '{count, plural, one {# invitation} other {# invitations}}', { count });

/** The outcome of a send; without a mail server messages stay in the outbox. */
export function queuedSentence(
  results: readonly Pick<InvitationResult, 'status'>[],
  mailServer: MailServerState,
): string {
  const count = results.filter(({ status }) => status === 'queued').length;
  const others = results.length - count;
  const first =
    count === 0 ? t('list.queued.none', 'No email was queued.') : queuedText(count, mailServer);
  if (others === 0) return first;
  const rest = t(
    /* follows a sentence about emails: these people get no email */ 'list.queued.others',
    '{count, plural, one {# person gets none.} other {# people get none.}}',
    { count: others },
  );
  return `${first} ${rest}`;
}

function queuedText(count: number, mailServer: MailServerState): string {
  switch (mailServer) {
    case 'missing':
      return t(
        'list.queued.noMailServer',
        '{count, plural, one {# invitation waits in the outbox: no mail server is configured.} other {# invitations wait in the outbox: no mail server is configured.}}',
        { count },
      );
    case 'off':
      return t(
        'list.queued.mailServerOff',
        '{count, plural, one {# invitation waits in the outbox: the mail server is switched off.} other {# invitations wait in the outbox: the mail server is switched off.}}',
        { count },
      );
    default:
      return t(
        'list.queued.forDelivery',
        '{count, plural, one {# invitation is queued for delivery.} other {# invitations are queued for delivery.}}',
        { count },
      );
  }
}

/** Times of a candidate that are not those of the assessment; all of them while that is not known. */
function otherTimesTexts(
  { opensAt, endDate, startBy, duration, attempts = 1 }: Times,
  quiz: Quiz | undefined,
): string[] {
  const isOther = (at: string | null, usual: string | null | undefined) =>
    quiz === undefined || at !== (usual ?? null);
  return [
    ...(!isOther(opensAt, quiz?.opensAt)
      ? []
      : [
          opensAt === null
            ? t(
                /* arranged for a candidate: the assessment; stands in a list */ 'list.arranged.opensAtOnce',
                'open at once',
              )
            : t(
                /* arranged for a candidate: the assessment; stands in a list */ 'list.arranged.opens',
                'opens {time}',
                { time: formatDateTime(opensAt) },
              ),
        ]),
    ...(!isOther(endDate, quiz?.endDate)
      ? []
      : [
          endDate === null
            ? t(
                /* arranged for a candidate: the assessment; stands in a list */ 'list.arranged.noEnd',
                'no end date',
              )
            : t(
                /* arranged for a candidate: the assessment; stands in a list */ 'list.arranged.ends',
                'ends {time}',
                { time: formatDateTime(endDate) },
              ),
        ]),
    ...(startBy === undefined || startBy === quiz?.startBy
      ? []
      : [
          t(
            /* arranged for a candidate: the latest time to start; stands in a list */ 'list.arranged.startBy',
            'start by {time}',
            { time: formatDateTime(startBy) },
          ),
        ]),
    ...(duration === quiz?.duration ? [] : [minutesText(duration * 60_000)]),
    ...(attempts === (quiz?.retakes?.attempts ?? 1)
      ? []
      : [
          t(
            /* arranged for a candidate: the most of them; stands in a list */ 'list.arranged.attempts',
            '{attempts, plural, one {# attempt} other {# attempts}}',
            { attempts },
          ),
        ]),
  ];
}

/** Arrangements for a candidate: times where they are others than the assessment's, extra time, devices. */
export function useAccommodationTexts(
  invitation: Pick<Invitation, 'quizId' | 'times'> & Parameters<typeof accommodationText>[0],
): string[] {
  const { times, quizId } = invitation;
  const quiz = useQuiz(times ? quizId : null).data;
  return [...(times ? otherTimesTexts(times, quiz) : []), ...accommodationText(invitation)];
}

export function accommodationText(
  invitation: Pick<
    Invitation,
    'extraTimeFactor' | 'breaks' | 'cameraEnabled' | 'microphoneEnabled' | 'faceCovered'
  >,
): string[] {
  return [
    ...(invitation.extraTimeFactor === 1
      ? []
      : [
          t(
            /* what a candidate gets: extra time, in percent */ 'list.arranged.time',
            '+{percent} % time',
            {
              percent: Math.round((invitation.extraTimeFactor - 1) * 100),
            },
          ),
        ]),
    ...(invitation.breaks
      ? [
          t(
            /* what a candidate gets; stands in a list */ 'list.arranged.breaks',
            '{count, plural, one {# break} other {# breaks}} ({minutes} min)',
            invitation.breaks,
          ),
        ]
      : []),
    ...(invitation.cameraEnabled
      ? []
      : [
          t(/* arranged for a candidate; stands in a list */ 'list.arranged.noCamera', 'no camera'),
        ]),
    ...(invitation.microphoneEnabled
      ? []
      : [
          t(
            /* arranged for a candidate; stands in a list */ 'list.arranged.noMicrophone',
            'no microphone',
          ),
        ]),
    ...(invitation.faceCovered
      ? [
          t(
            /* arranged for a candidate; stands in a list */ 'list.arranged.faceCovered',
            'face may be covered',
          ),
        ]
      : []),
  ];
}

/** Parses a factor from 1 to 10, with a decimal point or comma; `null` if invalid. */
export function factorOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return null;
  const factor = Number(text);
  return factor >= 1 && factor <= 10 ? factor : null;
}
