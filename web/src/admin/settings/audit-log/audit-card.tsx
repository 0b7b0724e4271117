import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { zoneName } from '../../../lib/dates.ts';
import { sentenceOf } from '../../../net/api.ts';
import { Card } from '../../../ui/card.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { AUDIT_ROWS, useAudit } from './audit-api.ts';
import { AuditRow } from './audit-row.tsx';
import { AuditTools } from './audit-tools.tsx';

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
          <FailureNotice
            title="Failed to load the audit log"
            onRetry={() => void audit.refetch()}
            retrying={audit.isFetching}
          >
            {sentenceOf(audit.error)}
          </FailureNotice>
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

/** Search on Enter, and download of the log. */
