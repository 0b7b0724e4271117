import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '../db/database.ts';
import { insertAudit, type NewAuditEntry } from '../db/queries/audit.ts';
import { requireLive } from './guards.ts';

/** The id of the administrator's session under which a request is handled. */
export const actingSession = new AsyncLocalStorage<string>();

/**
 * Records who did what to whom, in the same transaction as the action. Throws NOT_SIGNED_IN, and so undoes
 * the action, when the session that the request acts under has ended since: it waited for a lock or read a
 * file, during which the administrator was deleted.
 */
export async function recordAudit(tx: Queryable, ...entry: NewAuditEntry): Promise<void> {
  const [at, adminId] = entry;
  const sessionId = adminId === null ? undefined : actingSession.getStore();
  if (sessionId !== undefined) await requireLive(tx, sessionId, at);
  await insertAudit(tx, ...entry);
}
