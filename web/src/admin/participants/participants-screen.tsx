import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { zoneName } from '../../lib/dates.ts';
import { sentenceOf } from '../../net/api.ts';
import { Card } from '../../ui/card.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useContainerWidth } from '../../ui/use-container-width.ts';
import { useParticipants, useQuizzes } from './api.ts';
import { DownloadReport } from './download-report.tsx';
import { NoParticipants } from './no-participants.tsx';
import { ParticipantCards } from './participant-cards.tsx';
import { Listed } from './participant-cells.tsx';
import { filterFrom, NO_FILTER, type ParticipantsFilter, searchOf } from './participants-filter.ts';
import { ParticipantsFoot } from './participants-foot.tsx';
import { ParticipantsTable } from './participants-table.tsx';
import { ParticipantsTools } from './participants-tools.tsx';

/** Below this the table becomes cards. */
const CARDS_BELOW_PX = 1_040;

/** /admin/participants: every started attempt, paged, filtered and sorted by the server. */
export function ParticipantsScreen() {
  const [search, setSearch] = useSearchParams();
  const filter = filterFrom(search);
  const client = useQueryClient();
  const participants = useParticipants(filter);
  const quizzes = useQuizzes();
  const [container, width] = useContainerWidth();
  const asCards = width !== null && width < CARDS_BELOW_PX;
  const List = asCards ? ParticipantCards : ParticipantsTable;

  const change = (next: ParticipantsFilter, replace = false) =>
    setSearch(searchOf(next), { replace, preventScrollReset: true });
  const renew = () => {
    participants.forgetAsOf();
    void client.resetQueries({ queryKey: ['api', 'participants'] });
  };
  const { data } = participants;

  return (
    <>
      <PageHeader
        title="Participant Management"
        subtitle="Every attempt, its result and what happened during it"
      >
        <DownloadReport filter={filter} />
      </PageHeader>
      <ParticipantsTools
        filter={filter}
        quizzes={quizzes.data ?? []}
        onChange={change}
        onRenew={renew}
        renewing={participants.isFetching}
        withOrder={asCards}
      />
      {participants.isError ? (
        <FailureNotice
          title="Failed to load participants"
          onRetry={() => void participants.refetch()}
          retrying={participants.isFetching}
        >
          {sentenceOf(participants.error)}
        </FailureNotice>
      ) : (
        <div ref={container} className="@container">
          <Card>
            {data === undefined ? (
              <SkeletonRows rows={filter.rows}>Loading participants...</SkeletonRows>
            ) : data.rows.length === 0 ? (
              <NoParticipants
                filter={filter}
                total={data.total}
                onClear={() => change(NO_FILTER)}
                onFirstPage={() => change({ ...filter, page: 1 })}
              />
            ) : (
              <div
                aria-busy={participants.isPlaceholderData}
                className={participants.isPlaceholderData ? 'opacity-60' : ''}
              >
                <Listed value={{ ids: data.rows.map(({ id }) => id), total: data.total }}>
                  <List rows={data.rows} filter={filter} onChange={change} />
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
