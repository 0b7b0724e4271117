import { z } from 'zod';
import { endpoint, Instant, page } from '../definition/endpoint.ts';
import { TABLE, TableFormat } from '../definition/table-format.ts';

/**
 * An entry of the audit log: the administrator, the action and its objects. Ids and numbers are stored; names
 * and addresses are looked up.
 */
export const AuditEntry = z.object({
  id: z.string(),
  /** Position in the chain; null until it is sealed, about a second later. */
  number: z.int().nullable(),
  at: Instant,
  adminId: z.string().nullable(),
  /** `Unknown` once the administrator was deleted; null where the system itself acted. */
  adminEmail: z.string().nullable(),
  action: z.string(),
  subjectType: z.string().nullable(),
  subjectId: z.string().nullable(),
  /** The current name; null where it is gone, has no name, or was not looked up. */
  subjectName: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAudit = endpoint('GET /api/audit', ['installation: installation.manage'], {
  summary: 'The audit log, newest first; total in X-Total-Count',
  query: z.object({
    search: z.string().trim().max(200).optional(),
    ...page(50),
  }),
  responses: { 200: z.array(AuditEntry) },
});

export const exportAudit = endpoint(
  'GET /api/audit/export',
  ['installation: installation.manage'],
  {
    audit: 'audit.exported',
    summary: 'The audit log as CSV or as an Excel workbook, oldest first',
    query: z.object({
      search: z.string().trim().max(200).optional(),
      format: TableFormat.default('csv'),
    }),
    ...TABLE,
  },
);
