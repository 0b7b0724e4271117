import { type Account, logout, me } from '@invigil/core/contract/accounts/auth';
import { t } from '@invigil/core/texts/i18n';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { forgetLanguage, speakTo } from '../lib/language.ts';
import { keepDraftsOf } from '../lib/person/local-keys.ts';
import { wipeOfflineCopies } from '../lib/person/offline-copies.ts';
import { meetPerson } from '../lib/person/person-memory.ts';
import { type Session, SessionContext } from '../lib/person/session.tsx';
import { storeAccount, storeEndedSession } from '../lib/person/stored-auth.ts';
import { logProblem } from '../lib/problem-log.ts';
import {
  ApiError,
  ConnectionError,
  callEndpoint,
  callEndpointWithHeaders,
  inTime,
} from '../net/api.ts';
import { toast } from '../ui/toast.ts';

/** Timeout of a sign-out, so that a last page does not wait for the server; milliseconds. */
const SIGN_OUT_MS = 5_000;

/** `undefined` before the first response. */
type Known = Account | null | undefined;

/**
 * Reads the session once and provides it to every screen. Plain state without a query client, which
 * candidates do not load.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<Known>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const [receivedAt, setReceivedAt] = useState(0);
  const latest = useRef<Known>(undefined);

  const settle = useCallback((account: Account | null) => {
    latest.current = account;
    if (account?.role === 'participant') meetPerson(account.user.id);
    if (account !== null) keepDraftsOf(account.user.id);
    if (account?.attempt?.status !== 'in_progress') wipeOfflineCopies();
    storeAccount(account);
    if (account !== null) {
      speakTo(account).catch((cause) => logProblem('The language could not be fetched', cause));
    }
    setFailed(false);
    setReceivedAt(performance.now());
    setKnown(account);
  }, []);

  const refresh = useCallback(async () => {
    try {
      const before = latest.current;
      // A copy opens the page without a connection; asked again, only the server can tell.
      const account = await whoIsSignedIn(before === undefined);
      settle(account);
      // Replaced or expired, not signed out: store the address for the next sign-in.
      if (account === null && before) storeEndedSession(before);
      return account;
    } catch (error) {
      setFailed(true);
      throw error;
    }
  }, [settle]);

  useEffect(() => {
    refresh().catch((cause) => logProblem('The session could not be read', cause));
  }, [refresh]);

  const signOut = useCallback(async () => {
    try {
      await callEndpoint(logout, { keepalive: true, signal: AbortSignal.timeout(SIGN_OUT_MS) });
    } catch (cause) {
      logProblem('Signing out did not reach the server', cause);
      toast({
        title: t('signOut.hereOnly', 'Signed out on this page only'),
        description: t(
          'signOut.hereOnly.text',
          'The server could not be reached. Close the browser to be sure.',
        ),
        variant: 'destructive',
      });
    }
    settle(null);
    keepDraftsOf(null);
    forgetLanguage();
  }, [settle]);

  const session = useMemo<Session>(
    () => ({
      account: known ?? null,
      receivedAt,
      status: known !== undefined ? 'ready' : hasFailed ? 'failed' : 'loading',
      signedIn: settle,
      signOut,
      refresh,
    }),
    [known, receivedAt, hasFailed, settle, signOut, refresh],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Reads the account; a 401 means signed out, not an error (specification). */
async function whoIsSignedIn(mayBeCopy: boolean): Promise<Account | null> {
  try {
    const { body, headers } = await callEndpointWithHeaders(me, { signal: inTime() });
    if (!mayBeCopy && headers.has('x-offline-copy'))
      throw new ConnectionError('unreachable', 'copy');
    return body;
  } catch (error) {
    if (error instanceof ApiError && error.isOurs && error.status === 401) return null;
    throw error;
  }
}
