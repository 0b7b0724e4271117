import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import { formatDateTime } from '../../../lib/dates.ts';
import { auditDetails, auditSubject, auditWords } from './audit-words.ts';

/** One entry: what was done to what, by whom, when, and its place in the chain. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const details = auditDetails(entry);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{auditWords(entry.action)}</span>
          {/* The name in the search and the file. */}
          <span className="code text-xs text-ink-3">{entry.action}</span>
        </div>
        <div className="text-sm wrap-anywhere text-ink-2" title={entry.subjectId ?? undefined}>
          {auditSubject(entry)}
        </div>
        {details !== '' && <div className="text-sm break-words text-ink-3">{details}</div>}
      </div>
      <div className="text-xs text-ink-3 tabular-nums sm:text-right">
        <div className="break-all text-ink-2">{entry.adminEmail ?? 'The system'}</div>
        <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
        <div>{entry.number === null ? 'not sealed yet' : `No. ${entry.number}`}</div>
      </div>
    </li>
  );
}
