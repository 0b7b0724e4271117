import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { type AuditEntry, exportAudit, listAudit } from '@invigil/core/contract/installation/audit';
import { t } from '@invigil/core/texts/i18n';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RefreshCw, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { formatDateTime, zoneName } from '../../../lib/format.ts';
import { pageQuery } from '../../../net/endpoint-query.ts';
import { formatQuery } from '../../../net/file-download.ts';
import { Button } from '../../../ui/button.tsx';
import { InputWithIcon } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { downloadFile } from '../../data/downloads.ts';
import type { PlaceNames } from '../../data/role-words.ts';
import { showFailure } from '../../data/show-failure.ts';
import { usePlaceNames } from '../../data/team.ts';
import { List } from '../../list/list.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { auditDetails, auditSubject, auditText } from './audit-texts.ts';

/** The audit log: newest first, searched and paged by the server. */
export function AuditCard() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const audit = useAudit(search, page);
  const names = usePlaceNames();
  return (
    <List
      title={t('portal.auditLog', 'Audit log')}
      aside={
        <IconButton
          label={t(/* a button */ 'settings.audit.reload', 'Reload the audit log')}
          onClick={() => void audit.refetch()}
        >
          <RefreshCw />
        </IconButton>
      }
      tools={
        <AuditTools
          search={search}
          onSearch={(next) => {
            setSearch(next);
            setPage(1);
          }}
        />
      }
      read={audit}
      failure={t('settings.audit.loadFailed', 'Failed to load the audit log')}
      loading={t('settings.audit.loading', 'Loading entries...')}
      none={
        <EmptyState>
          {search === ''
            ? t(/* of the audit log */ 'settings.audit.none', 'No entries yet.')
            : t(/* of the audit log */ 'settings.audit.noMatch', 'No entry matches this search.')}
        </EmptyState>
      }
      narrowed={false}
      pages={{
        page,
        perPage: AUDIT_ROWS,
        onPage: setPage,
        total: (count) =>
          t(
            /* of the audit log; {zone} such as Europe/London */ 'settings.audit.total',
            '{count, plural, one {# entry, times in {zone}} other {# entries, times in {zone}}}',
            { count, zone: zoneName() },
          ),
      }}
    >
      {(rows) => (
        <ul aria-label={t(/* the name of a list */ 'settings.audit.entries', 'Audit entries')}>
          {rows.map((entry) => (
            <AuditRow key={entry.id} entry={entry} names={names} />
          ))}
        </ul>
      )}
    </List>
  );
}

function AuditRow({ entry, names }: { entry: AuditEntry; names: PlaceNames }) {
  const details = auditDetails(entry, names);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{auditText(entry.action)}</span>
          {/* The name in the search and the file. */}
          <span className="code text-xs text-ink-3">{entry.action}</span>
        </div>
        <div className="text-sm wrap-anywhere text-ink-2" title={entry.subjectId ?? undefined}>
          {auditSubject(entry)}
        </div>
        {details !== '' && <div className="text-sm wrap-anywhere text-ink-3">{details}</div>}
      </div>
      <div className="text-xs text-ink-3 tabular-nums sm:text-end">
        <div className="break-all text-ink-2">
          {entry.adminEmail ??
            t(
              /* in the place of an administrator: Invigil did it */ 'settings.audit.system',
              'The system',
            )}
        </div>
        <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
        <div>
          {entry.number === null
            ? t(/* an entry of the audit log */ 'settings.audit.notSealed', 'not sealed yet')
            : t(/* an entry of the audit log */ 'settings.audit.number', 'No. {number}', {
                number: String(entry.number),
              })}
        </div>
      </div>
    </li>
  );
}

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
            aria-label={t(
              /* the name of a field */ 'settings.audit.searchLabel',
              'Search the audit log',
            )}
            className="min-w-0 flex-1"
            placeholder={t(
              /* in an empty field: what can be searched for */ 'settings.audit.searchPlaceholder',
              'Action, email or id',
            )}
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              // Cleared by typing or by the button in the box.
              if (event.target.value === '') onSearch('');
            }}
          />
          <Button type="submit">{t(/* a button */ 'settings.audit.search', 'Search')}</Button>
        </form>
      </search>
      <DownloadButton
        onDownload={(format) => downloadAudit(search, format)}
        onFailed={(error) =>
          showFailure(t('settings.audit.downloadFailed', 'Failed to download the audit log'), error)
        }
      >
        {(format) =>
          format === 'csv'
            ? t(/* a button */ 'settings.audit.downloadCsv', 'Download CSV')
            : t(/* a button */ 'settings.audit.downloadExcel', 'Download Excel')
        }
      </DownloadButton>
    </div>
  );
}

const AUDIT_ROWS = 10;

function useAudit(search: string, page: number) {
  const query = {
    ...(search === '' ? {} : { search }),
    limit: AUDIT_ROWS,
    offset: (page - 1) * AUDIT_ROWS,
  };
  return useQuery({ ...pageQuery(listAudit, { query }), placeholderData: keepPreviousData });
}

async function downloadAudit(search: string, format: TableFormat): Promise<void> {
  const query = { ...(search === '' ? {} : { search }), ...formatQuery(format) };
  await downloadFile(
    {
      name: t(/* a file that is downloaded */ 'portal.auditLog', 'Audit log'),
      fallback: `audit_log.${format}`,
    },
    exportAudit,
    {
      query,
    },
  );
}
