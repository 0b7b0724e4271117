import {
  type Admin,
  type AdminBody,
  createAdmin,
  deleteAdmin,
  listAdmins,
  setGrants,
} from '@invigil/core/contract/accounts/admins';
import { getSystemInformation } from '@invigil/core/contract/installation/system';
import type { Grant } from '@invigil/core/domain/rights';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { useSession } from '../../lib/person/session.tsx';
import { callEndpoint, type SentBody } from '../../net/api.ts';
import { changeCached, endpointKey, endpointQuery } from '../../net/endpoint-query.ts';
import { useCategories, useQuizzes } from './assessments.ts';
import type { PlaceNames } from './role-words.ts';

export const ADMINS = endpointQuery(listAdmins, {});
const SYSTEM = endpointKey(getSystemInformation);

export function useAdmins() {
  return useQuery(ADMINS);
}

/** Someone who was an administrator before has the given roles in addition. */
export function useCreateAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.output<typeof AdminBody>) => callEndpoint(createAdmin, { body }),
    onSuccess: async (admin) => {
      await changeCached<Admin[]>(client, ADMINS.queryKey, (list) => {
        const before = list.find(({ id }) => id === admin.id);
        if (before === undefined) return [...list, admin];
        const both = [
          ...before.grants.filter((grant) => !isIn(admin.grants, grant)),
          ...admin.grants,
        ];
        return list.map((one) => (one === before ? { ...admin, grants: both } : one));
      });
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

/** Replaces the roles of an administrator by others: all of those that are listed. */
export function useSetGrants({ id }: Admin) {
  const client = useQueryClient();
  const { account, refresh } = useSession();
  return useMutation({
    mutationFn: (body: SentBody<typeof setGrants>) =>
      callEndpoint(setGrants, { params: { id }, body }),
    onSuccess: async () => {
      // The response leaves out wider roles.
      await client.invalidateQueries({ queryKey: ADMINS.queryKey });
      if (account?.user.id === id) await refresh().catch(() => undefined);
    },
  });
}

export const isSamePlace = (a: Omit<Grant, 'role'>, b: Omit<Grant, 'role'>) =>
  a.quizId === b.quizId && a.categoryId === b.categoryId;

const isIn = (grants: readonly Grant[], grant: Grant) =>
  grants.some((one) => one.role === grant.role && isSamePlace(one, grant));

export function usePlaceNames(): PlaceNames {
  const quizzes = useQuizzes().data ?? [];
  const categories = useCategories().data ?? [];
  return {
    quizzes: new Map(quizzes.map(({ id, title }) => [id, title])),
    categories: new Map(categories.map(({ id, name }) => [id, name])),
  };
}
