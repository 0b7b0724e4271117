import type { Account } from '@invigil/core/contract/auth';
import { z } from 'zod';
import { localKey } from './local-keys.ts';

const StoredAuth = z.object({
  user: z.object({ id: z.string(), email: z.string() }).nullable(),
  quiz: z.looseObject({ id: z.string(), title: z.string() }).nullable(),
  isAuthenticated: z.boolean(),
});
export type StoredAuth = z.infer<typeof StoredAuth>;

/**
 * The seed's `quiz-auth`: a copy of who is signed in. It opens nothing and decides nothing; the
 * session cookie and GET /api/auth/me do. It only fills in an address, never more.
 */
export const storedAuthKey = localKey('quiz-auth', StoredAuth);

/** A session that ended by itself: the address stays, so that signing in again is quick. */
export function storeEndedSession({ user }: Account): void {
  storedAuthKey.write({ user, quiz: null, isAuthenticated: false });
}

/** The address of the person whose session ended here; no one else's. */
export function endedSessionEmail(): string | null {
  const stored = storedAuthKey.read();
  return stored === null || stored.isAuthenticated ? null : (stored.user?.email ?? null);
}

/** Keeps the copy in step with what the server said. */
export function storeAccount(account: Account | null): void {
  if (account === null) return storedAuthKey.remove();
  const { user, quiz } = account;
  storedAuthKey.write({ user, quiz, isAuthenticated: true });
}
