import {
  type Admin,
  type AdminBody,
  changeOwnPassword,
  createAdmin,
  deleteAdmin,
  listAdmins,
} from '@invigil/core/contract/accounts/admins';
import { getSystemInformation } from '@invigil/core/contract/installation/system';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callEndpoint } from '../../../net/api.ts';
import { changeCached } from '../../../net/change-cached.ts';
import { endpointKey, endpointQuery } from '../../../net/endpoint-query.ts';

const ADMINS = endpointQuery(listAdmins, {});
const SYSTEM = endpointKey(getSystemInformation);

export function useAdmins() {
  return useQuery(ADMINS);
}

export function useCreateAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.output<typeof AdminBody>) => callEndpoint(createAdmin, { body }),
    onSuccess: async (admin) => {
      await changeCached<Admin[]>(client, ADMINS.queryKey, (list) => [...list, admin]);
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}

export function useDeleteAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteAdmin, { params: { id } }),
    onSuccess: async (_, id) => {
      await changeCached<Admin[]>(client, ADMINS.queryKey, (list) =>
        list.filter((admin) => admin.id !== id),
      );
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      callEndpoint(changeOwnPassword, { body }),
  });
}
