import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  exportParticipants,
  listParticipants,
  type Participant,
} from '@invigil/core/contract/review/participants';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { TableProperties, Users } from 'lucide-react';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { zoneName } from '../../../lib/format.ts';
import { logProblem } from '../../../lib/problem-log.ts';
import { callEndpointWithHeaders, callForFile } from '../../../net/api.ts';
import { endpointKey, type Page, totalIn } from '../../../net/endpoint-query.ts';
import { formatQuery, saveResponse } from '../../../net/file-download.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { Card, EmptyState, PageHeader } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { useContainerWidth } from '../../../ui/tables/table.tsx';
import { useQuizzes } from '../../data/assessments.ts';
import { useMayAnywhere } from '../../data/own-rights.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { LoadFailure } from '../../parts/failures.tsx';
import {
  entriesSentence,
  filterFrom,
  isFiltered,
  NO_FILTER,
  type ParticipantsFilter,
  queryOf,
  searchOf,
} from './participants-filter.ts';
import { Listed, ParticipantCards, ParticipantsTable } from './participants-table.tsx';
import { ParticipantsTools } from './participants-tools.tsx';

const CARDS_BELOW_PX = 1_050;

/** /admin/participants: every started attempt, paged, filtered and sorted by the server. */
export function ParticipantsScreen() {
  const [search] = useSearchParams();
  return (
    <>
      <PageHeader
        title="Participant Management"
        subtitle="Every attempt, its result and what happened during it"
      >
        <DownloadReport filter={filterFrom(search)} />
      </PageHeader>
      <ParticipantsList />
    </>
  );
}

/**
 * The attempts that the address selects.
 *
 * @param of only those of one assessment, with the report beside the filters
 */
export function ParticipantsList({ of }: { of?: string }) {
  const [search, setSearch] = useSearchParams();
  const shown = filterFrom(search);
  const filter = of === undefined ? shown : { ...shown, quizId: of };
  const client = useQueryClient();
  const participants = useParticipants(filter);
  const quizzes = useQuizzes();
  const [container, width] = useContainerWidth();
  const asCards = width !== null && width < CARDS_BELOW_PX;
  const List = asCards ? ParticipantCards : ParticipantsTable;

  const change = (next: ParticipantsFilter, replace = false) =>
    setSearch(searchOf(of === undefined ? next : { ...next, quizId: null }), {
      replace,
      preventScrollReset: true,
    });
  const renew = () => {
    participants.forgetAsOf();
    void client.resetQueries({ queryKey: endpointKey(listParticipants) });
  };
  const { data } = participants;

  return (
    <>
      <ParticipantsTools
        filter={filter}
        quizzes={of === undefined ? (quizzes.data ?? []) : null}
        onChange={change}
        onRenew={renew}
        renewing={participants.isFetching}
        withOrder={asCards}
      >
        {of !== undefined && <DownloadReport filter={filter} of={of} />}
      </ParticipantsTools>
      {participants.isError ? (
        <LoadFailure title="Failed to load participants" read={participants} />
      ) : (
        <div ref={container} className="@container">
          <Card>
            {data === undefined ? (
              <SkeletonRows rows={filter.rows}>Loading participants...</SkeletonRows>
            ) : data.rows.length === 0 ? (
              <NoParticipants
                filter={shown}
                of={of}
                total={data.total}
                onClear={() => change(NO_FILTER)}
                onFirstPage={() => change({ ...filter, page: 1 })}
              />
            ) : (
              <div
                aria-busy={participants.isPlaceholderData}
                className={participants.isPlaceholderData ? 'opacity-60' : ''}
              >
                <Listed
                  value={{
                    search: `?${searchOf(filter)}`,
                    ids: data.rows.map(({ id }) => id),
                    total: data.total,
                  }}
                >
                  <List
                    rows={data.rows}
                    filter={filter}
                    ofOne={of !== undefined}
                    onChange={change}
                  />
                </Listed>
              </div>
            )}
            {data !== undefined && (
              <ParticipantsFoot filter={filter} total={data.total} onChange={change} />
            )}
          </Card>
          <p className="mt-3 text-sm text-ink-3">Times in {zoneName()}</p>
        </div>
      )}
    </>
  );
}

export function NoParticipants({
  filter,
  of,
  total,
  onClear,
  onFirstPage,
}: {
  filter: ParticipantsFilter;
  of?: string | undefined;
  total: number;
  onClear(): void;
  onFirstPage(): void;
}) {
  if (total > 0) {
    return (
      <EmptyState action={<Button onClick={onFirstPage}>Go to the first page</Button>}>
        There is nothing on this page.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        isFiltered(filter) ? (
          <Button onClick={onClear}>Clear filters</Button>
        ) : (
          <Link
            to={of === undefined ? '/admin/quizzes' : `/admin/quizzes/${of}/candidates`}
            className={buttonClasses('primary', 'admin')}
          >
            {of === undefined ? 'Go to Assessments' : 'Go to Candidates'}
          </Link>
        )
      }
    >
      No participants found. Send Assessment invitations to get started.
    </EmptyState>
  );
}

const SIZES = SCREEN_LIMITS.pageSizes.map((n) => ({ value: String(n), label: String(n) }));

function ParticipantsFoot({
  filter,
  total,
  onChange,
}: {
  filter: ParticipantsFilter;
  total: number;
  onChange(next: ParticipantsFilter): void;
}) {
  const pages = Math.max(1, Math.ceil(total / filter.rows));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line px-5 py-3 tabular-nums">
      <div className="flex items-center gap-2 text-sm text-ink-2">
        <span id="rows-per-page">Rows per page</span>
        <SelectControl
          aria-labelledby="rows-per-page"
          size="dense"
          className="w-18!"
          options={SIZES}
          value={String(filter.rows)}
          onChange={(value) => onChange({ ...filter, rows: Number(value), page: 1 })}
        />
      </div>
      <p role="status" className="text-sm text-ink-2">
        {entriesSentence(filter.page, filter.rows, total)}
      </p>
      <Pagination
        page={Math.min(filter.page, pages)}
        pages={pages}
        onPage={(page) => onChange({ ...filter, page })}
      />
    </div>
  );
}

/** @param of the assessment whose page it stands on */
export function DownloadReport({ filter, of }: { filter: ParticipantsFilter; of?: string }) {
  const filtered = isFiltered(of === undefined ? filter : { ...filter, quizId: null });
  const everyone = of === undefined ? NO_FILTER : { ...NO_FILTER, quizId: of };
  if (!useMayAnywhere()('reports.export')) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {filtered && <p className="text-sm text-ink-3">The report follows the filters.</p>}
      <DownloadButton
        onDownload={(format) => downloadReport(filter, false, format)}
        onFailed={(error) => {
          logProblem('The report could not be downloaded', error);
          // The specification asks for the browser's own alert here.
          window.alert('Failed to download report. Please try again.');
        }}
        menuLabel="More reports"
        more={(download) => (
          <>
            <MenuItem
              icon={<TableProperties />}
              unavailable={filter.quizId === null ? 'Select one assessment first.' : undefined}
              onSelect={() => void download((format) => downloadReport(filter, true, format))}
            >
              With a column per question
            </MenuItem>
            <MenuItem
              icon={<Users />}
              unavailable={filtered ? undefined : 'No filter is set.'}
              onSelect={() => void download((format) => downloadReport(everyone, false, format))}
            >
              All participants, without the filters
            </MenuItem>
          </>
        )}
      >
        Download report
      </DownloadButton>
    </div>
  );
}

/**
 * One page of the list. The server time of the first response becomes `asOf` of the following
 * pages, so that new rows do not shift others across pages; `renew` includes them.
 */
function useParticipants(filter: ParticipantsFilter) {
  const { page, rows } = filter;
  const view = JSON.stringify(queryOf(filter));
  // By view. Read at request time, not at render time: renewing requests at once.
  const stable = useRef(new Map<string, string>());

  const result = useQuery({
    // `asOf` is not part of the key: a loaded page is cached until renewed.
    queryKey: [...endpointKey(listParticipants), { view, page, rows }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Page<Participant>> => {
      const asOf = stable.current.get(view);
      const answer = await callEndpointWithHeaders(listParticipants, {
        signal,
        query: {
          ...queryOf(filter),
          ...(asOf === undefined ? {} : { asOf }),
          limit: rows,
          offset: (page - 1) * rows,
        },
      });
      const time = answer.headers.get('x-as-of');
      if (asOf === undefined && time !== null) stable.current.set(view, time);
      const own = answer.body.flatMap((row) => ('userEmail' in row ? [row] : []));
      return { rows: own, total: totalIn(answer.headers, own) };
    },
  });
  return { ...result, forgetAsOf: () => stable.current.clear() };
}

/**
 * Downloads the report of the filtered list under the server's file name. Columns per question exist
 * only for a single assessment.
 */
async function downloadReport(
  filter: ParticipantsFilter,
  questions: boolean,
  format: TableFormat,
): Promise<void> {
  const { sort: _sort, order: _order, ...query } = queryOf(filter);
  const response = await callForFile(exportParticipants, {
    query: { ...query, ...(questions ? { questions: 'true' } : {}), ...formatQuery(format) },
  });
  await saveResponse(response, `participants_report.${format}`);
}
