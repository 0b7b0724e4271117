import type { Readable } from 'node:stream';
import { AuditEntry } from '@invigil/core/contract/installation/audit';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { type AuditListRow, nextAuditRows, pageAudit } from '../../db/queries/audit.ts';
import { listMessages } from '../../db/queries/outbox.ts';
import { storedRecipient, storedSubject } from '../../deliveries/mails.ts';
import { erasedText, systemText, unknownText } from '../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../http/endpoints.ts';
import {
  downloadHeaders,
  inPortions,
  type Table,
  type TableFile,
  type TableRow,
  tableStream,
} from '../../http/table-stream.ts';
import { Reply } from '../../runtime/reply.ts';
import { openForPersons, type SealedText } from '../../security/person-key.ts';
import { readInstitution } from '../../trust/institution.ts';
import { readSubjectNames } from './subject-queries.ts';

export function auditHandlers(ctx: BaseContext) {
  return {
    async listAudit({ query }) {
      const { rows, total } = await pageAudit(ctx.db, query.search, query);
      return new Reply(200, await presentAudit(ctx, rows, await readNames(ctx.db, rows)), {
        'x-total-count': String(total),
      });
    },
    async exportAudit({ query, command }) {
      await command(({ record }) => record('audit.exported'));
      return new Reply(
        200,
        auditReport(ctx, query.search, {
          format: query.format,
          timeZone: (await readInstitution(ctx, ctx.db)).timeZone,
        }),
        downloadHeaders('audit_log', query.format),
      );
    },
  } satisfies Handlers;
}

const heads = (): Table['head'] => [
  t(/* head of a column: numbers of entries of the audit log */ 'auditTable.number', 'Number'),
  { at: t(/* head of a column of dates and times */ 'auditTable.time', 'Time') },
  t(/* head of a column: who did it */ 'auditTable.administrator', 'Administrator'),
  t(/* head of a column: what was done, as a code */ 'auditTable.action', 'Action'),
  t(/* head of a column: the kind of thing that it was done to */ 'auditTable.subject', 'Subject'),
  t(/* head of a column: the id of what it was done to */ 'auditTable.subjectId', 'Subject Id'),
  t(/* head of a column */ 'auditTable.details', 'Details'),
  t(
    /* head of a column: the name of what it was done to */ 'auditTable.subjectName',
    'Subject Name',
  ),
];
const BATCH_SIZE = 500;

/** The audit log as a file, oldest first, in constant memory. */
function auditReport(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  search: string | undefined,
  file: TableFile,
): Readable {
  async function* portions() {
    const next = (after?: AuditListRow) => nextAuditRows(ctx.db, search, after, BATCH_SIZE);
    for await (const rows of inPortions(BATCH_SIZE, next)) {
      yield (await presentAudit(ctx, rows, await readNames(ctx.db, rows))).map(cells);
    }
  }
  const name = () => t(/* name of a sheet */ 'auditTable.name', 'Audit log');
  return tableStream(() => ({ name: name(), head: heads(), portions: portions() }), file);
}

/** The names of what entries are about, also of messages. */
async function readNames(db: Queryable, entries: readonly AuditListRow[]) {
  const names = await readSubjectNames(db, entries, unknownText());
  const messages = entries.flatMap(({ subjectType, subjectId }) =>
    subjectType === 'outbox_message' && subjectId !== null ? [subjectId] : [],
  );
  for (const message of await listMessages(db, messages)) {
    names.set(message.id, `${storedRecipient(message)}, ${storedSubject(message)}`);
  }
  return names;
}

function cells(entry: AuditEntry): TableRow {
  return [
    entry.number ?? '',
    new Date(entry.at),
    entry.adminEmail ?? systemText(),
    entry.action,
    entry.subjectType ?? '',
    entry.subjectId ?? '',
    entry.details === null ? '' : JSON.stringify(entry.details),
    entry.subjectName ?? '',
  ];
}

const Details = AuditEntry.shape.details.catch(null);

/** Entries as administrators read them: texts sealed for a person are decrypted, or 'Erased'. */
export async function presentAudit(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  rows: readonly AuditListRow[],
  names: ReadonlyMap<string, string> = new Map(),
): Promise<AuditEntry[]> {
  const read = rows.map((row) => ({ row, details: Details.parse(row.details) }));
  const sealed = read.flatMap(({ details }) => Object.values(details ?? {}).filter(isSealed));
  const open = await openForPersons(ctx.db, ctx, sealed);
  return read.map(({ row, details }) => ({
    id: row.id,
    number: row.number,
    at: row.at.toISOString(),
    adminId: row.adminId,
    adminEmail: row.adminId === null ? null : (row.adminEmail ?? unknownText()),
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    subjectName: row.subjectId === null ? null : (names.get(row.subjectId) ?? null),
    details:
      details &&
      Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          isSealed(value) ? (open(value) ?? erasedText()) : value,
        ]),
      ),
  }));
}

function isSealed(value: unknown): value is SealedText {
  return (
    typeof value === 'object' &&
    value !== null &&
    'userId' in value &&
    typeof value.userId === 'string' &&
    'sealed' in value &&
    typeof value.sealed === 'string'
  );
}
