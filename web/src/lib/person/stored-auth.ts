import type { Account } from '@invigil/core/contract/accounts/auth';
import { z } from 'zod';
import { localKey } from './local-keys.ts';

const StoredAuth = z.object({
  user: z.object({ id: z.string(), email: z.string() }).nullable(),
  quiz: z.looseObject({ id: z.string(), title: z.string() }).nullable(),
  isAuthenticated: z.boolean(),
});
export type StoredAuth = z.infer<typeof StoredAuth>;

/**
 * The specification's `quiz-auth`: a copy of the signed-in account. It grants no access; the session cookie and
 * GET /api/auth/me do. It is used only to prefill the email address.
 */
export const storedAuthKey = localKey('quiz-auth', StoredAuth);

/** The session expired: the address is stored to prefill the next sign-in. */
export function storeEndedSession({ user }: Account): void {
  storedAuthKey.write({ user, quiz: null, isAuthenticated: false });
}

/** The address of the person whose session expired here, if any. */
export function endedSessionEmail(): string | null {
  const stored = storedAuthKey.read();
  return stored === null || stored.isAuthenticated ? null : (stored.user?.email ?? null);
}

/** Updates the copy after a response of the server. */
export function storeAccount(account: Account | null): void {
  if (account === null) return storedAuthKey.remove();
  const { user, quiz } = account;
  storedAuthKey.write({ user, quiz, isAuthenticated: true });
}
