import type { Queryable } from '../db/database.ts';
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
