import type { Account } from '@invigil/core/contract/accounts/auth';
import { createContext, useContext } from 'react';

/** The signed-in account, according to the server. */
export interface Session {
  account: Account | null;
  /** When the account was received, in milliseconds of the page's monotonic clock. */
  receivedAt: number;
  /** `failed`: the request failed; `refresh` retries it. */
  status: 'loading' | 'ready' | 'failed';
  /** Sets the account after a sign-in or an update of the same account. */
  signedIn(account: Account): void;
  /** Ends the session on the server and clears it here; resolves even if the server is down. */
  signOut(): Promise<void>;
  refresh(): Promise<Account | null>;
}

export const SessionContext = createContext<Session | null>(null);

/** The session, provided by the app above every screen. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs the session provider above it');
  return session;
}
