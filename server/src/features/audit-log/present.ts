import { AuditEntry } from '@invigil/core/contract/installation/audit';
import type { AppContext } from '../../app-context.ts';
import type { AuditListRow } from '../../db/queries/audit.ts';
import { openForPersons, type SealedText } from '../../security/person-key.ts';

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
    adminEmail: row.adminId === null ? null : (row.adminEmail ?? 'Unknown'),
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    subjectName: row.subjectId === null ? null : (names.get(row.subjectId) ?? null),
    details:
      details &&
      Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          isSealed(value) ? (open(value) ?? 'Erased') : value,
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
