import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  exportParticipants,
  listParticipants,
  type Participant,
} from '@invigil/core/contract/review/participants';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { TableProperties, Users } from 'lucide-react';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { timesInText } from '../../../lib/portal-times.ts';
import { logProblem } from '../../../lib/problem-log.ts';
import { callEndpointWithHeaders } from '../../../net/api.ts';
import { endpointKey, type Page, totalIn } from '../../../net/endpoint-query.ts';
import { formatQuery } from '../../../net/file-download.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { EmptyState, PageHeader } from '../../../ui/page.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { useTakenQuizOptions } from '../../data/assessments.ts';
import { downloadFile } from '../../data/downloads.ts';
import { useMayAnywhere } from '../../data/own-rights.ts';
import { List } from '../../list/list.tsx';
import { useView } from '../../list/use-view.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import {
  ATTEMPTS_VIEW,
  entriesSentence,
  filterFrom,
  isFiltered,
  NO_FILTER,
  type ParticipantsFilter,
  queryOf,
  searchOf,
} from './participants-filter.ts';
import { Listed, ParticipantRows } from './participants-table.tsx';
import { ParticipantsTools } from './participants-tools.tsx';

const CARDS_BELOW_PX = 1_050;

/** /admin/participants: every started attempt, paged, filtered and sorted by the server. */
export function ParticipantsScreen() {
  const [search] = useSearchParams();
  return (
    <>
      <PageHeader
        title={t('attempts.title', 'Participant Management')}
        subtitle={t('attempts.subtitle', 'Every attempt, its result and what happened during it')}
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
  const { view, show } = useView(ATTEMPTS_VIEW);
  const filter = of === undefined ? view : { ...view, quizId: of };
  const client = useQueryClient();
  const participants = useParticipants(filter);
  const quizzes = useTakenQuizOptions();

  const change = (next: ParticipantsFilter, replace = false) =>
    show(of === undefined ? next : { ...next, quizId: null }, replace);
  const renew = () => {
    participants.forgetAsOf();
    void client.resetQueries({ queryKey: endpointKey(listParticipants) });
  };
  const onPage = (page: number) => change({ ...filter, page });

  return (
    <>
      <List
        head={(asCards) => (
          <ParticipantsTools
            filter={filter}
            quizzes={of === undefined ? quizzes : null}
            onChange={change}
            onRenew={renew}
            renewing={participants.isFetching}
            withOrder={asCards}
          >
            {of !== undefined && <DownloadReport filter={filter} of={of} />}
          </ParticipantsTools>
        )}
        read={participants}
        failure={t('attempts.failed', 'Failed to load participants')}
        loading={t('attempts.loading', 'Loading participants...')}
        none={
          <EmptyState
            action={
              <Link
                to={of === undefined ? '/admin/quizzes' : `/admin/quizzes/${of}/candidates`}
                className={buttonClasses('primary', 'admin')}
              >
                {of === undefined
                  ? t('attempts.none.toAssessments', 'Go to Assessments')
                  : t('attempts.none.toCandidates', 'Go to Candidates')}
              </Link>
            }
          >
            {noParticipantsText()}
          </EmptyState>
        }
        narrowed={
          isFiltered(view) && { sentence: noParticipantsText(), onClear: () => change(NO_FILTER) }
        }
        pages={{ page: filter.page, perPage: filter.rows, onPage, total: String }}
        foot={(total) => <ParticipantsFoot filter={filter} total={total} onChange={change} />}
        cardsBelow={CARDS_BELOW_PX}
      >
        {(rows, asCards) => (
          <Listed
            value={{
              search: `?${searchOf(filter)}`,
              ids: rows.map(({ id }) => id),
              total: participants.data?.total ?? rows.length,
            }}
          >
            <ParticipantRows
              rows={rows}
              filter={filter}
              ofOne={of !== undefined}
              asCards={asCards}
              onChange={change}
            />
          </Listed>
        )}
      </List>
      {!participants.isError && <p className="mt-3 text-sm text-ink-3">{timesInText()}</p>}
    </>
  );
}

const noParticipantsText = () =>
  t('attempts.none.text', 'No participants found. Send Assessment invitations to get started.');

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
        <span id="rows-per-page">{t('attempts.rowsPerPage', 'Rows per page')}</span>
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
      {filtered && (
        <p className="text-sm text-ink-3">
          {t('attempts.report.follows', 'The report follows the filters.')}
        </p>
      )}
      <DownloadButton
        onDownload={(format) => downloadReport(filter, false, format)}
        onFailed={(error) => {
          logProblem('The report could not be downloaded', error);
          // The specification asks for the browser's own alert here.
          window.alert(t('attempts.report.failed', 'Failed to download report. Please try again.'));
        }}
        menuLabel={t('attempts.report.more', 'More reports')}
        more={(download) => (
          <>
            <MenuItem
              icon={<TableProperties />}
              unavailable={
                filter.quizId === null
                  ? t('attempts.report.selectAssessment', 'Select one assessment first.')
                  : undefined
              }
              onSelect={() => download((format) => downloadReport(filter, true, format))}
            >
              {t('attempts.report.questions', 'With a column per question')}
            </MenuItem>
            <MenuItem
              icon={<Users />}
              unavailable={
                filtered ? undefined : t('attempts.report.noFilter', 'No filter is set.')
              }
              onSelect={() => download((format) => downloadReport(everyone, false, format))}
            >
              {t('attempts.report.all', 'All participants, without the filters')}
            </MenuItem>
          </>
        )}
      >
        {t('attempts.report.download', 'Download report')}
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
  // The `asOf` of each view. Read at request time, not at render time: renewing requests at once.
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
  const file = {
    name: t(/* what is downloaded (noun) */ 'attempts.report.name', 'Report'),
    fallback: `participants_report.${format}`,
  };
  await downloadFile(file, exportParticipants, {
    query: { ...query, ...(questions ? { questions: 'true' } : {}), ...formatQuery(format) },
  });
}
