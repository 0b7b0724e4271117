import { type Admin, listAdmins } from '@invigil/core/contract/accounts/admins';
import {
  getTotp,
  putSignInPolicy,
  resetTotp,
  type Totp,
} from '@invigil/core/contract/accounts/totp';
import { getSystemInformation } from '@invigil/core/contract/installation/system';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../../net/api.ts';
import { changeCached } from '../../../net/change-cached.ts';
import { endpointKey, endpointQuery } from '../../../net/endpoint-query.ts';

const TOTP = endpointQuery(getTotp, {});
const ADMINS = endpointKey(listAdmins);
const SYSTEM = endpointKey(getSystemInformation);

/** Whether two-step sign-in is on for this account, and whether it is required for all. */
export function useTotp() {
  return useQuery(TOTP);
}

/** Refetches the state of two-step sign-in. */
export function useTotpChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      // The list of administrators is at the parent path.
      [ADMINS, SYSTEM].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
}

export function useRequireTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (totpRequired: boolean) =>
      callEndpoint(putSignInPolicy, { body: { totpRequired } }),
    onSuccess: async ({ totpRequired }) => {
      await changeCached<Totp>(client, TOTP.queryKey, (own) => ({
        ...own,
        required: totpRequired,
      }));
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}

export function useResetTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(resetTotp, { params: { id } }),
    onSuccess: async (_, id) => {
      await changeCached<Admin[]>(client, ADMINS, (list) =>
        list.map((admin) => (admin.id === id ? { ...admin, hasTotp: false } : admin)),
      );
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}
