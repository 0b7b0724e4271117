import { Readable } from 'node:stream';
import type { AuditEntry } from '@invigil/core/contract/audit';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { stringify } from 'csv-stringify/sync';
import type { AppContext } from '../../app-context.ts';
import { presentAudit } from './present.ts';
import { nextAuditRows } from './queries.ts';

const COLUMNS = ['Number', 'Time', 'Administrator', 'Action', 'Subject', 'Subject Id', 'Details'];
const ROWS_AT_A_TIME = 500;
const BYTE_ORDER_MARK = '\uFEFF';

/** The audit log as a stream of CSV, oldest first, in constant memory. */
export function auditReport(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  search: string | undefined,
): Readable {
  async function* lines() {
    yield BYTE_ORDER_MARK + toCsv([COLUMNS]);
    let after: { at: Date; id: string } | undefined;
    for (;;) {
      const rows = await nextAuditRows(ctx.db, search, after, ROWS_AT_A_TIME);
      if (rows.length > 0) yield toCsv((await presentAudit(ctx, rows)).map(cells));
      after = rows.at(-1);
      if (rows.length < ROWS_AT_A_TIME) return;
    }
  }
  return Readable.from(lines(), { objectMode: false });
}

function cells(entry: AuditEntry): (string | number)[] {
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

function toCsv(rows: (string | number)[][]): string {
  return stringify(rows, { record_delimiter: 'windows' });
}
