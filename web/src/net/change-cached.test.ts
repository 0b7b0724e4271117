import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { changeCached } from './endpoint-query.ts';
import { createQueryClient } from './query-client.ts';

const KEY = ['api', 'things'];

/** A mounted list; each read is answered on demand, calls count from 0. */
function listOf() {
  const client = createQueryClient();
  const reads: PromiseWithResolvers<string[]>[] = [];
  const read = vi.fn(() => {
    const next = Promise.withResolvers<string[]>();
    reads.push(next);
    return next.promise;
  });
  const stop = new QueryObserver<string[]>(client, { queryKey: KEY, queryFn: read }).subscribe(
    () => undefined,
  );
  const shown = () => client.getQueryData<string[]>(KEY);
  return { client, reads, read, shown, stop };
}

const add = (list: string[]) => [...list, 'new'];

test('shows a write at once', async () => {
  const { client, reads, read, shown, stop } = listOf();
  reads[0]?.resolve(['old']);
  await expect.poll(() => shown()).toEqual(['old']);
  await changeCached(client, KEY, add);
  expect(shown()).toEqual(['old', 'new']);
  expect(read).toHaveBeenCalledOnce();
  stop();
});

test('does not revert a write to a read that began before it', async () => {
  const { client, reads, shown, stop } = listOf();
  reads[0]?.resolve(['old']);
  await expect.poll(() => shown()).toEqual(['old']);
  const again = client.refetchQueries({ queryKey: KEY });
  await expect.poll(() => reads).toHaveLength(2);
  const changed = changeCached(client, KEY, add);
  reads[1]?.resolve(['old']);
  await expect.poll(() => reads).toHaveLength(3);
  expect(shown()).toEqual(['old', 'new']);
  reads[2]?.resolve(['old', 'new', 'theirs']);
  await Promise.all([changed, again]);
  expect(shown()).toEqual(['old', 'new', 'theirs']);
  stop();
});

test('reads a list again if its last read failed', async () => {
  const { client, reads, shown, stop } = listOf();
  reads[0]?.reject(new Error('away'));
  await expect.poll(() => client.getQueryState(KEY)?.status).toBe('error');
  const changed = changeCached(client, KEY, add);
  await expect.poll(() => reads).toHaveLength(2);
  reads[1]?.resolve(['old', 'new']);
  await changed;
  expect(shown()).toEqual(['old', 'new']);
  stop();
});
