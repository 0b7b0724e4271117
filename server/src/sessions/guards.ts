import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { Queryable } from '../db/database.ts';
import type { AdminSession } from '../db/queries/sessions.ts';
import { findSessionEnd } from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';

/**
 * Checks a session again after a request has waited for a lock: it may have ended since, and after an
 * erasure nothing more may be written about the person.
 *
 * Throws NOT_SIGNED_IN, SESSION_REPLACED.
 */
export async function requireLive(db: Queryable, sessionId: string, now: Date): Promise<void> {
  const end = await findSessionEnd(db, sessionId, now);
  if (end !== null) throw new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
}

/** An administrator and when the password was last confirmed. */
export type Actor = Pick<AdminSession, 'adminId' | 'passwordAt'>;

/**
 * Refuses a sensitive action (product 11) when the password was confirmed too long ago, so that an open
 * page or a stolen session does not suffice. Throws CONFIRM_PASSWORD.
 */
export function requireFreshPassword({ passwordAt }: Actor, now: Date): void {
  const age = passwordAt === null ? Number.POSITIVE_INFINITY : now.getTime() - passwordAt.getTime();
  if (age > SESSION_LIMITS.passwordFreshMs) throw new AppError('CONFIRM_PASSWORD');
}
