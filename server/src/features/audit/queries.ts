import type { Queryable } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { auditEntries } from '../../db/schema.ts';

export interface AuditEntry {
  adminId: string | null;
  action: string;
  subject?: { type: string; id: string };
  /** Ids and numbers only, no names or addresses (product 9). */
  details?: Record<string, unknown>;
  at: Date;
}

/** Writes who did what to whom; in the same transaction as the deed. */
export async function recordAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.insert(auditEntries).values({
    id: newId(),
    at: entry.at,
    adminId: entry.adminId,
    action: entry.action,
    subjectType: entry.subject?.type ?? null,
    subjectId: entry.subject?.id ?? null,
    details: entry.details ?? null,
  });
}
