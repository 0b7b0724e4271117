import { listCategories } from '@invigil/core/contract/assessments/categories';
import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { createQueryClient } from '../../net/query-client.ts';
import { hookIn } from '../../testing/shown.tsx';
import { useSaveCategory } from './categories-screen.tsx';

test('refetches a list that failed to load when a category is added', async () => {
  const category = (name: string) => ({
    id: name,
    name,
    description: null,
    createdAt: '2026-05-04T09:00:00.000Z',
  });
  const stored = [category('Law')];
  let isAway = true;
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'GET') return isAway ? new Response('', { status: 503 }) : Response.json(stored);
    isAway = false;
    stored.push(category('Safety'));
    return Response.json(stored[1], { status: 201 });
  });
  const client = createQueryClient();
  const list = endpointQuery(listCategories, {});
  const observer = new QueryObserver(client, list);
  observer.subscribe(() => undefined);
  await expect.poll(() => observer.getCurrentResult().isError).toBe(true);
  const save = await hookIn(client, () => useSaveCategory(null));
  await save.mutateAsync({ name: 'Safety' });
  expect(client.getQueryData(list.queryKey)).toEqual([category('Law'), category('Safety')]);
});
