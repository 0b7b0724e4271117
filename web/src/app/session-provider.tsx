import { type Account, logout, me } from '@invigil/core/contract/auth';
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { callEndpoint } from '../lib/api.ts';
import { endpointKey, nullWhenSignedOut } from '../lib/endpoint-query.ts';
import { logProblem } from '../lib/problem-log.ts';
import { type Session, SessionContext } from '../lib/session.tsx';
import { storeAccount } from '../lib/stored-auth.ts';
import { toast } from '../ui/toast.ts';

const whoIsSignedIn = {
  queryKey: endpointKey(me),
  queryFn: ({ signal }: { signal: AbortSignal }) => nullWhenSignedOut(callEndpoint(me, { signal })),
};

/** Asks the server once who is signed in, and tells every screen. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data, isError } = useQuery(whoIsSignedIn);

  useEffect(() => {
    if (data !== undefined) storeAccount(data);
  }, [data]);

  const signedIn = useCallback(
    (account: Account) => client.setQueryData(whoIsSignedIn.queryKey, account),
    [client],
  );
  const refresh = useCallback(
    () => client.fetchQuery({ ...whoIsSignedIn, staleTime: 0 }),
    [client],
  );
  const signOut = useCallback(async () => {
    const account = client.getQueryData<Account | null>(whoIsSignedIn.queryKey);
    try {
      await callEndpoint(logout, { keepalive: true });
    } catch (cause) {
      logProblem('Signing out did not reach the server', cause);
      if (account?.role === 'admin') {
        toast({
          title: 'Signed out on this page only',
          description: 'The server could not be reached. Close the browser to be sure.',
          variant: 'destructive',
        });
      }
    }
    // What the last person saw must not be there for the next one.
    const kept = hashKey(whoIsSignedIn.queryKey);
    client.removeQueries({ predicate: (query) => query.queryHash !== kept });
    client.setQueryData(whoIsSignedIn.queryKey, null);
  }, [client]);

  const session = useMemo<Session>(
    () => ({
      account: data ?? null,
      status: data !== undefined ? 'ready' : isError ? 'failed' : 'loading',
      signedIn,
      signOut,
      refresh,
    }),
    [data, isError, signedIn, signOut, refresh],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
