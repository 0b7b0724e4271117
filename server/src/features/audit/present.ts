import { AuditEntry } from '@invigil/core/contract/audit';
import type { AuditListRow } from './queries.ts';

const Details = AuditEntry.shape.details.catch(null);

export function presentAuditEntry(row: AuditListRow): AuditEntry {
  return {
    id: row.id,
    number: row.number,
    at: row.at.toISOString(),
    adminId: row.adminId,
    adminEmail: row.adminId === null ? null : (row.adminEmail ?? 'Unknown'),
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    details: Details.parse(row.details),
  };
}
