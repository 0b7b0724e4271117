import {
  getSmtpSettings,
  putSmtpSettings,
  type SmtpSettings,
  testSmtpSettings,
} from '@invigil/core/contract/installation/smtp-settings';
import { getSystemInformation } from '@invigil/core/contract/installation/system';
import {
  listOutbox,
  readOutboxMessage,
  revealOutboxMessage,
  sendOutboxMessage,
} from '@invigil/core/contract/invitations/outbox';
import type { MailState } from '@invigil/core/domain/invitation-states';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { DELIVERY_REFRESH_MS, isOnItsWay } from '../../lib/mail.ts';
import { presence, useReturn } from '../../lib/person/presence.ts';
import { callEndpoint, type SentBody } from '../../net/api.ts';
import { endpointKey, endpointQuery, pageQuery, replaceCached } from '../../net/endpoint-query.ts';
import { useMay } from './own-rights.ts';

const SMTP = endpointQuery(getSmtpSettings, {});
const OUTBOX = endpointKey(listOutbox);

/** Nothing for those who may not see them. */
export function useSmtpSettings() {
  return useQuery({ ...SMTP, enabled: useMay()('installation.manage') });
}

export function useSaveSmtpSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<typeof putSmtpSettings>) => callEndpoint(putSmtpSettings, { body }),
    onSuccess: async (saved) => {
      await replaceCached<SmtpSettings | null>(client, SMTP.queryKey, saved);
      // Waiting messages are sent now.
      await client.invalidateQueries({ queryKey: OUTBOX });
      await client.invalidateQueries({ queryKey: endpointKey(getSystemInformation) });
    },
  });
}

export function useSmtpTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof testSmtpSettings.body>) =>
      callEndpoint(testSmtpSettings, { body }),
    // A message that was taken ends a pause, and stored settings count as tested.
    onSuccess: () =>
      Promise.all(
        [OUTBOX, SMTP.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** Reads how many messages wait to be sent. */
export function useCountWaiting(): () => Promise<number> {
  const client = useQueryClient();
  return async () =>
    (await client.fetchQuery(pageQuery(listOutbox, { query: { state: 'queued', limit: 1 } })))
      .total;
}

export const OUTBOX_ROWS = 10;

/** One page of the outbox, newest first. `canSend`: there is a mail server, so the page polls. */
export function useOutbox(
  { search, state, page }: { search: string; state: MailState | null; page: number },
  canSend: boolean,
) {
  const query = {
    ...(search === '' ? {} : { search }),
    ...(state === null ? {} : { state }),
    limit: OUTBOX_ROWS,
    offset: (page - 1) * OUTBOX_ROWS,
  };
  const outbox = useQuery({
    ...pageQuery(listOutbox, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: (shown) =>
      canSend &&
      shown.state.data?.rows.some((row) => isOnItsWay(row.state)) === true &&
      presence.whileThere(DELIVERY_REFRESH_MS),
  });
  useReturn(outbox.refetch);
  return outbox;
}

export function useSendNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(sendOutboxMessage, { params: { id } }),
    // Also after a refusal: the message has changed.
    onSettled: () => client.invalidateQueries({ queryKey: OUTBOX }),
  });
}

/** Read on demand and never cached: each view is logged. */
export function useOutboxMessage(id: string) {
  return useQuery({ ...endpointQuery(readOutboxMessage, { params: { id } }), gcTime: 0 });
}

/** The same with your own password, once a mail server was configured. */
export function useRevealMessage(id: string) {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (currentPassword: string) =>
      callEndpoint(revealOutboxMessage, { params: { id }, body: { currentPassword } }),
    // The outbox now has notices to the other administrators.
    onSuccess: () => client.invalidateQueries({ queryKey: OUTBOX }),
  });
}
