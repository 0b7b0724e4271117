import type { Endpoint, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type ReadOf, readEndpoint, urlOf } from './api.ts';

/**
 * Key and function of a read. The key is the path in parts, followed by the query (specification 7), so that
 * invalidating `['api', 'quizzes']` includes everything below that path.
 */
export function endpointQuery<E extends Endpoint>(
  endpoint: E,
  read: ReadOf<E>,
): { queryKey: QueryKey; queryFn: (context: { signal: AbortSignal }) => Promise<ResponseOf<E>> } {
  return {
    queryKey: endpointKey(endpoint, read),
    queryFn: async ({ signal }) => (await readEndpoint(endpoint, read, signal)).body,
  };
}

export interface Page<T> {
  rows: T[];
  total: number;
}

type RowOf<E extends Endpoint> = ResponseOf<E> extends readonly (infer Row)[] ? Row : never;

/** The number of rows on all pages, as the server counted them. */
export function totalIn(headers: Headers, rows: readonly unknown[]): number {
  const total = Number(headers.get('x-total-count') ?? rows.length);
  return Number.isFinite(total) ? total : rows.length;
}

/** A read of one page of a list, as `endpointQuery`. */
export function pageQuery<E extends Endpoint>(
  endpoint: E,
  read: ReadOf<E>,
): {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<Page<RowOf<E>>>;
} {
  return {
    queryKey: endpointKey(endpoint, read),
    queryFn: async ({ signal }) => {
      const { body, headers } = await readEndpoint(endpoint, read, signal);
      const rows = body as RowOf<E>[];
      return { rows, total: totalIn(headers, rows) };
    },
  };
}

/** The key of a read; without the query, of everything below its path. */
export function endpointKey(
  endpoint: Endpoint,
  read: { params?: unknown; query?: unknown } = {},
): QueryKey {
  const path = urlOf(endpoint, read.params)
    .split('/')
    .filter((part) => part !== '');
  return read.query === undefined ? path : [...path, read.query];
}

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
