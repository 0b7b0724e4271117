import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '../db/database.ts';
import { insertAudit, insertAudits, type NewAuditEntry } from '../db/queries/audit.ts';

/**
 * Refuses to go on where the administrator's session under which a request is handled has ended since, or lost
 * any of the permissions with which it was admitted. Throws NOT_SIGNED_IN, FORBIDDEN.
 */
export type RequireActing = (db: Queryable, at: Date) => Promise<void>;

/** The check of the request that is being handled. */
export const acting = new AsyncLocalStorage<RequireActing>();

/**
 * Records who did what to whom, in the same transaction as the action. Throws NOT_SIGNED_IN or FORBIDDEN, and
 * so undoes the action, when the session that the request acts under has ended or lost a permission since: it
 * waited for a lock, read a file or is the last of a thousand.
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
  if (adminId !== null) await acting.getStore()?.(tx, at);
}
