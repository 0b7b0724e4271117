import {
  type Category,
  type CategoryBody,
  createCategory,
  deleteCategory,
  listCategories,
  updateCategory,
} from '@invigil/core/contract/assessments/categories';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callEndpoint } from '../../net/api.ts';
import { changeCached } from '../../net/change-cached.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';

const LIST = endpointQuery(listCategories, {});
/** Assessments show the name of their category. */
const QUIZZES = ['api', 'quizzes'];

export function useCategories() {
  return useQuery(LIST);
}

const changeList = (client: QueryClient, change: (list: Category[]) => Category[]) =>
  changeCached(client, LIST.queryKey, change);

const byName = (a: Category, b: Category) => a.name.localeCompare(b.name);

/** Creates a category, or updates the one with the given id. */
export function useSaveCategory(id: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof CategoryBody>) =>
      id === null
        ? callEndpoint(createCategory, { body })
        : callEndpoint(updateCategory, { params: { id }, body }),
    onSuccess: async (saved) => {
      await changeList(client, (list) =>
        [...list.filter((other) => other.id !== saved.id), saved].sort(byName),
      );
      await client.invalidateQueries({ queryKey: QUIZZES });
    },
  });
}

export function useDeleteCategory() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteCategory, { params: { id } }),
    onSuccess: (_, id) => changeList(client, (list) => list.filter((other) => other.id !== id)),
  });
}
