import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import { exportAudit, listAudit } from '@invigil/core/contract/installation/audit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RefreshCw, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { formatDateTime, zoneName } from '../../../lib/dates.ts';
import { callForFile } from '../../../net/api.ts';
import { pageQuery } from '../../../net/endpoint-query.ts';
import { saveResponse } from '../../../net/file-download.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { InputWithIcon } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { DownloadButton } from '../../downloads/download-button.tsx';
import { formatQuery } from '../../downloads/table-format.ts';
import { LoadFailure, showFailure } from '../../failures.tsx';
import { auditDetails, auditSubject, auditWords } from './audit-words.ts';

/** The audit log: newest first, searched and paged by the server. */
export function AuditCard() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const audit = useAudit(search, page);
  const pages = Math.max(1, Math.ceil((audit.data?.total ?? 0) / AUDIT_ROWS));
  return (
    <Card
      title="Audit log"
      aside={
        <IconButton label="Reload the audit log" onClick={() => void audit.refetch()}>
          <RefreshCw />
        </IconButton>
      }
    >
      <AuditTools
        search={search}
        onSearch={(next) => {
          setSearch(next);
          setPage(1);
        }}
      />
      {audit.isError ? (
        <div className="p-5">
          <LoadFailure title="Failed to load the audit log" read={audit} />
        </div>
      ) : audit.isPending ? (
        <SkeletonRows>Loading entries...</SkeletonRows>
      ) : audit.data.rows.length === 0 ? (
        <EmptyState>
          {search === '' ? 'No entries yet.' : 'No entry matches this search.'}
        </EmptyState>
      ) : (
        <ul aria-label="Audit entries" className={audit.isPlaceholderData ? 'opacity-60' : ''}>
          {audit.data.rows.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-ink-3">
        <p role="status">
          {audit.data?.total ?? 0} {audit.data?.total === 1 ? 'entry' : 'entries'}, times in{' '}
          {zoneName()}
        </p>
        {pages > 1 && <Pagination page={page} pages={pages} onPage={setPage} />}
      </div>
    </Card>
  );
}

/** One entry: what was done to what, by whom, when, and its place in the chain. */
function AuditRow({ entry }: { entry: AuditEntry }) {
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

/** Search and download of the audit log. */
function AuditTools({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <div className="flex flex-wrap gap-3 border-b border-line px-5 py-3">
      <search className="min-w-0 flex-1 basis-72">
        <form onSubmit={submit} className="flex gap-2">
          <InputWithIcon
            icon={<Search />}
            type="search"
            aria-label="Search the audit log"
            className="min-w-0 flex-1"
            placeholder="Action, email or id"
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              // Cleared by typing or by the button in the box.
              if (event.target.value === '') onSearch('');
            }}
          />
          <Button type="submit">Search</Button>
        </form>
      </search>
      <DownloadButton
        onDownload={(format) => downloadAudit(search, format)}
        onFailed={(error) => showFailure('Failed to download the audit log', error)}
      >
        {(format) => (format === 'csv' ? 'Download CSV' : 'Download Excel')}
      </DownloadButton>
    </div>
  );
}

const AUDIT_ROWS = 10;

/** One page of the log, newest first. */
function useAudit(search: string, page: number) {
  const query = {
    ...(search === '' ? {} : { search }),
    limit: AUDIT_ROWS,
    offset: (page - 1) * AUDIT_ROWS,
  };
  return useQuery({ ...pageQuery(listAudit, { query }), placeholderData: keepPreviousData });
}

/** The entries that match, as a file. */
async function downloadAudit(search: string, format: TableFormat): Promise<void> {
  const response = await callForFile(exportAudit, {
    query: { ...(search === '' ? {} : { search }), ...formatQuery(format) },
  });
  await saveResponse(response, `audit_log.${format}`);
}
