import type { Readable } from 'node:stream';
import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import { guardCell } from '@invigil/core/domain/questions/spreadsheet-guard';
import type { AppContext } from '../../app-context.ts';
import { type AuditListRow, nextAuditRows } from '../../db/queries/audit.ts';
import { type CsvRow, csvStream, inPortions } from '../../http/csv-stream.ts';
import { presentAudit } from './present.ts';

const COLUMNS = ['Number', 'Time', 'Administrator', 'Action', 'Subject', 'Subject Id', 'Details'];
const BATCH_SIZE = 500;

/** The audit log as a CSV stream, oldest first, in constant memory. */
export function auditReport(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  search: string | undefined,
): Readable {
  async function* portions() {
    const next = (after?: AuditListRow) => nextAuditRows(ctx.db, search, after, BATCH_SIZE);
    for await (const rows of inPortions(BATCH_SIZE, next)) {
      yield (await presentAudit(ctx, rows)).map(cells);
    }
  }
  return csvStream(COLUMNS, portions());
}

function cells(entry: AuditEntry): CsvRow {
  return [
    entry.number ?? '',
    entry.at,
    guardCell(entry.adminEmail ?? 'System'),
    entry.action,
    entry.subjectType ?? '',
    entry.subjectId ?? '',
    entry.details === null ? '' : guardCell(JSON.stringify(entry.details)),
  ];
}
