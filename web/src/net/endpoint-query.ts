import type { Endpoint, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import type { QueryKey } from '@tanstack/react-query';
import { type ReadOf, readEndpoint, urlOf } from './api.ts';

/**
 * Key and function of a read. The key is the path in parts, followed by the query (seed 7), so that
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
