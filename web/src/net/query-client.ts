import { notifyManager, QueryClient } from '@tanstack/react-query';

// Before the next picture, and not a timer later: what a form shows changes together with what it was
// saved as. A field would show its old value for a moment, and take what is typed in it.
notifyManager.setScheduler(queueMicrotask);

/**
 * Reads and writes as the seed's section 9 has them: nothing refetches by itself, nothing is stale,
 * nothing is tried again. A write of our own invalidates what it changed.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // A call that is made while the browser believes to be offline fails at once and says so,
        // instead of waiting without a word.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
