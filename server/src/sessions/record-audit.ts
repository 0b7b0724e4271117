import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '../db/database.ts';
import { insertAudit, insertAudits, type NewAuditEntry } from '../db/queries/audit.ts';
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
  await requireActing(tx, at, adminId);
  await insertAudit(tx, ...entry);
}

/** The same action on many subjects. */
export async function recordAudits(...all: Parameters<typeof insertAudits>): Promise<void> {
  const [tx, at, adminId] = all;
  await requireActing(tx, at, adminId);
  await insertAudits(...all);
}

async function requireActing(tx: Queryable, at: Date, adminId: string | null): Promise<void> {
  const sessionId = adminId === null ? undefined : actingSession.getStore();
  if (sessionId !== undefined) await requireLive(tx, sessionId, at);
}
