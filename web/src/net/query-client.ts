import { notifyManager, QueryClient } from '@tanstack/react-query';

// Notify before the next paint, not after a timer: otherwise a field would briefly show its old value
// after a save, and accept typing in it.
notifyManager.setScheduler(queueMicrotask);

/**
 * Reads and writes as in specification 9: no automatic refetch, no staleness, no retries. A write invalidates
 * what it changed.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        // Other administrators change what was read; a screen that opens shows the current state.
        refetchOnMount: 'always',
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // A call while the browser reports being offline fails at once instead of waiting silently.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
