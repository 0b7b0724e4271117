import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Changes what is shown of a read after a write. A read that is under way may have begun before the
 * write and would take it back, so it is done again; so is one that failed before.
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

/** Shows a write's answer as the whole of a read, whether that was read before or not. */
export async function replaceCached<T>(
  client: QueryClient,
  queryKey: QueryKey,
  saved: T,
): Promise<void> {
  client.setQueryData<T>(queryKey, saved);
  const read = { queryKey, exact: true };
  if (client.isFetching(read) > 0) await client.invalidateQueries(read);
}
