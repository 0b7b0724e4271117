import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Updates a cached read after a write. A read in flight may have begun before the write and would
 * revert it, so it is repeated, as is one that failed.
 */
export async function changeCached<T>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (known: T) => T,
): Promise<void> {
  const known = client.getQueryData<T>(queryKey);
  if (known !== undefined) client.setQueryData<T>(queryKey, change(known));
  const read = { queryKey, exact: true };
  if (known === undefined || client.isFetching(read) > 0) await client.invalidateQueries(read);
}

/** Replaces a cached read by a write's response, whether it was read before or not. */
export async function replaceCached<T>(
  client: QueryClient,
  queryKey: QueryKey,
  saved: T,
): Promise<void> {
  client.setQueryData<T>(queryKey, saved);
  const read = { queryKey, exact: true };
  if (client.isFetching(read) > 0) await client.invalidateQueries(read);
}
