import type { Account } from '@invigil/core/contract/auth';
import { createContext, useContext } from 'react';

/** Who is signed in, as the server says it. */
export interface Session {
  account: Account | null;
  /** When the server said who is signed in, in milliseconds of the page's monotonic clock. */
  receivedAt: number;
  /** `failed`: the server could not be asked; `refresh` asks again. */
  status: 'loading' | 'ready' | 'failed';
  /** Takes the answer of a sign-in, or newer news about the same account. */
  signedIn(account: Account): void;
  /** Ends the session on the server and forgets it here; resolves even when the server is away. */
  signOut(): Promise<void>;
  /** Asks the server again who is signed in. */
  refresh(): Promise<Account | null>;
}

export const SessionContext = createContext<Session | null>(null);

/** The session, provided by the app above every screen. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs the session provider above it');
  return session;
}
