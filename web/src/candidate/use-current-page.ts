import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../lib/person/session.tsx';
import { currentAttempt } from './current-attempt.ts';

/**
 * Leads to the page that applies now, where the server refuses what this page believes: the account is read
 * again, and the attempt is opened again where that page needs it.
 */
export function useCurrentPage(): () => Promise<void> {
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  return useCallback(async () => {
    await refresh().catch(() => undefined);
    currentAttempt.close();
    navigate('/', { replace: true });
  }, [refresh, navigate]);
}
