import type { Readable } from 'node:stream';
import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import type { AppContext } from '../../app-context.ts';
import { type AuditListRow, nextAuditRows } from '../../db/queries/audit.ts';
import { inPortions } from '../../http/csv-stream.ts';
import { type TableFile, type TableRow, tableStream } from '../../http/table-stream.ts';
import { presentAudit } from './present.ts';

const COLUMNS = [
  'Number',
  { at: 'Time' },
  'Administrator',
  'Action',
  'Subject',
  'Subject Id',
  'Details',
];
const BATCH_SIZE = 500;

/** The audit log as a file, oldest first, in constant memory. */
export function auditReport(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  search: string | undefined,
  file: TableFile,
): Readable {
  async function* portions() {
    const next = (after?: AuditListRow) => nextAuditRows(ctx.db, search, after, BATCH_SIZE);
    for await (const rows of inPortions(BATCH_SIZE, next)) {
      yield (await presentAudit(ctx, rows)).map(cells);
    }
  }
  return tableStream({ name: 'Audit log', head: COLUMNS, portions: portions() }, file);
}

function cells(entry: AuditEntry): TableRow {
  return [
    entry.number ?? '',
    new Date(entry.at),
    entry.adminEmail ?? 'System',
    entry.action,
    entry.subjectType ?? '',
    entry.subjectId ?? '',
    entry.details === null ? '' : JSON.stringify(entry.details),
  ];
}
