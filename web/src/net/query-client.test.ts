import { expect, test, vi } from 'vitest';
import { createQueryClient } from './query-client.ts';

test('never refetches on focus or an interval, and nothing becomes stale', async () => {
  const { queries } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const client = createQueryClient();
  const queryFn = vi.fn(async () => 1);
  await client.fetchQuery({ queryKey: ['n'], queryFn });
  await client.fetchQuery({ queryKey: ['n'], queryFn });
  expect(queryFn).toHaveBeenCalledTimes(1);
});

test('retries neither a failed read nor a failed write', async () => {
  const client = createQueryClient();
  const fails = vi.fn(() => Promise.reject(new Error('away')));
  await expect(client.fetchQuery({ queryKey: ['n'], queryFn: fails })).rejects.toThrow('away');
  expect(fails).toHaveBeenCalledTimes(1);
  const write = client
    .getMutationCache()
    .build(client, client.defaultMutationOptions({ mutationFn: fails }));
  await expect(write.execute(undefined)).rejects.toThrow('away');
  expect(fails).toHaveBeenCalledTimes(2);
});
