import { listOutbox, readOutboxMessage } from '@invigil/core/contract/invitations';
import {
  getSmtpSettings,
  putSmtpSettings,
  type SmtpSettings,
  type SmtpSettingsBody,
} from '@invigil/core/contract/smtp-settings';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callEndpoint, callEndpointWithHeaders } from '../../lib/api.ts';
import { endpointKey, endpointQuery } from '../../lib/endpoint-query.ts';

const SMTP = endpointQuery(getSmtpSettings, {});
const OUTBOX = endpointKey(listOutbox);

/** Read anew on coming to the settings: others change them too. */
export function useSmtpSettings() {
  return useQuery({ ...SMTP, refetchOnMount: 'always' });
}

export function useSaveSmtpSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof SmtpSettingsBody>) => callEndpoint(putSmtpSettings, { body }),
    onSuccess: async (saved) => {
      client.setQueryData<SmtpSettings | null>(SMTP.queryKey, saved);
      // Waiting messages go out now.
      await client.invalidateQueries({ queryKey: OUTBOX });
      await client.invalidateQueries({ queryKey: ['api', 'system'] });
    },
  });
}

export const OUTBOX_ROWS = 10;

/** One page of the outbox, newest first. */
export function useOutbox(page: number) {
  const query = { limit: OUTBOX_ROWS, offset: (page - 1) * OUTBOX_ROWS };
  return useQuery({
    queryKey: [...OUTBOX, query],
    placeholderData: keepPreviousData,
    // Coming to the outbox is asking where the mail is.
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const { body, headers } = await callEndpointWithHeaders(listOutbox, { query, signal });
      const total = Number(headers.get('x-total-count') ?? body.length);
      return { rows: body, total: Number.isFinite(total) ? total : body.length };
    },
  });
}

/** Read on demand and never kept: each view is a matter of record. */
export function useOutboxMessage(id: string) {
  return useQuery({ ...endpointQuery(readOutboxMessage, { params: { id } }), gcTime: 0 });
}
