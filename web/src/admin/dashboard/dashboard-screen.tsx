import {
  getStats,
  getStatsCharts,
  type Stats,
  type StatsCharts,
} from '@invigil/core/contract/review/stats';
import { dateText, numberText, percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, ClipboardList, Users } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { timesInText } from '../../lib/portal-times.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { StatusBadge } from '../../ui/badges/badge.tsx';
import { type Bar, BarChart } from '../../ui/bar-chart.tsx';
import { SelectControl } from '../../ui/fields/select-field.tsx';
import { Card, EmptyState, PageHeader } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useTakenQuizOptions } from '../data/assessments.ts';
import { useMayAnywhere } from '../data/own-rights.ts';
import { FilterSelect } from '../list/filter-select.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { WhoMay } from '../parts/permitted.tsx';
import { RecentActivity } from '../parts/recent-activity.tsx';
import {
  CodesEnding,
  EndingSoon,
  FirstSteps,
  MailProblems,
  QuickActions,
  StatCard,
  TopScorers,
} from './dashboard-cards.tsx';

const STATS = endpointQuery(getStats, {});

export function DashboardScreen() {
  // Nothing refetches automatically, so opening the dashboard does.
  const stats = useQuery(STATS);
  const mayAnywhere = useMayAnywhere();

  return (
    <>
      <PageHeader
        title={t('dashboard.title', 'Dashboard Overview')}
        subtitle={t('dashboard.subtitle', 'Monitor Assessment performance and manage assessments')}
      >
        <span className="text-sm text-ink-3">{timesInText()}</span>
      </PageHeader>
      {stats.isError && stats.data === undefined ? (
        <LoadFailure
          title={t('dashboard.loadFailed', 'Failed to load the dashboard')}
          read={stats}
        />
      ) : (
        <div className="@container">
          <FirstSteps hasAttempts={(stats.data?.totalParticipants ?? 1) > 0} />
          <MailProblems />
          <CodesEnding quizzes={stats.data?.codesEnding ?? []} />
          <Figures stats={stats.data} />
          <div className="grid items-stretch gap-4 @min-[57rem]:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
            {mayAnywhere('people.see') ? (
              <RecentActivity
                items={stats.data?.recentActivity}
                {...(mayAnywhere('records.see') ? {} : { all: null })}
              />
            ) : (
              <WhoMay permissions={['people.see']} what="seeCandidates" />
            )}
            <div className="grid content-start gap-4 @min-[40rem]:grid-cols-2 @min-[57rem]:grid-cols-1">
              <QuickActions />
              <EndingSoon quizzes={stats.data?.endingSoon ?? []} />
              {mayAnywhere('scores.see') && mayAnywhere('people.see') && (
                <TopScorers scorers={stats.data?.topScorers} timeZone={stats.data?.timeZone} />
              )}
            </div>
          </div>
          {mayAnywhere('figures.see') && <Charts />}
        </div>
      )}
    </>
  );
}

function Figures({ stats }: { stats: Stats | undefined }) {
  const seesScores = useMayAnywhere()('scores.see');
  const notOpen = (stats?.totalQuizzes ?? 0) - (stats?.activeQuizzes ?? 0);
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 @min-[28rem]:gap-4 @min-[57rem]:grid-cols-4">
      <StatCard
        label={t('dashboard.totalAssessments', 'Total Assessments')}
        figure={stats?.totalQuizzes}
        meaning={t(
          /* assessments */ 'dashboard.notOpen',
          '{count, plural, one {# not open} other {# not open}}',
          { count: notOpen },
        )}
        aside={<ClipboardList />}
      />
      <StatCard
        label={t('dashboard.totalParticipants', 'Total Participants')}
        figure={stats?.totalParticipants}
        meaning={t(/* a number stands above */ 'dashboard.attemptsStarted', 'Attempts started')}
        aside={<Users />}
      />
      <StatCard
        label={t('dashboard.activeAssessments', 'Active Assessments')}
        figure={stats?.activeQuizzes}
        meaning={t(/* assessments; a number stands above */ 'dashboard.openNow', 'Open now')}
        aside={<StatusBadge status="live" />}
      />
      {seesScores && (
        <StatCard
          label={t('dashboard.averageScore', 'Average Score')}
          // Never wraps, so the space before the sign is a plain one, as it always was.
          figure={percentText(stats?.averageScore ?? 0, 1).replace('\u00a0', ' ')}
          loading={stats === undefined}
          meaning={t(/* the average score */ 'dashboard.ofCompleted', 'Of completed attempts')}
          aside={<ChartNoAxesColumn />}
        />
      )}
    </div>
  );
}

const periodOptions = () =>
  [7, 30, 90].map((count) => ({
    value: String(count),
    label: t('results.lastDays', '{count, plural, one {Last # day} other {Last # days}}', {
      count,
    }),
  }));
const PER_CENT = ['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100'];

/** The distribution of scores and the ends per day, of all assessments or of a selected one. */
function Charts() {
  const [quizId, setQuizId] = useState<string | null>(null);
  const [days, setDays] = useState('30');
  const charts = useQuery({
    ...endpointQuery(getStatsCharts, {
      query: { days: Number(days), ...(quizId === null ? {} : { quizId }) },
    }),
    placeholderData: keepPreviousData,
  });
  const names = useTakenQuizOptions();
  const { data } = charts;
  const scores = scoreBars(data?.histogram ?? []);
  const ends = dayBars(data?.completions ?? []);

  const failed = charts.isError && (data === undefined || charts.isPlaceholderData);
  return (
    <section
      aria-label={t('portal.results', 'Results')}
      aria-busy={charts.isPlaceholderData}
      className="@container mt-7 grid gap-4"
    >
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="w-full sm:me-auto sm:w-auto">{t('portal.results', 'Results')}</h2>
        <FilterSelect
          label={t('dashboard.charts.assessment', 'Assessment for the charts')}
          any={t('portal.allAssessments', 'All Assessments')}
          className="sm:min-w-58"
          options={names}
          value={quizId}
          onChange={setQuizId}
        />
        <SelectControl
          aria-label={t('dashboard.charts.period', 'Period for the charts')}
          className="w-full! sm:w-40!"
          options={periodOptions()}
          value={days}
          onChange={setDays}
        />
      </div>
      {data?.results !== undefined && (
        <p className="text-sm text-ink-2">
          {t(
            /* numbers of attempts */ 'dashboard.outcomes',
            'Where there is a pass mark: {passed} passed, {failed} failed in this period.',
            { passed: numberText(data.results.passed), failed: numberText(data.results.failed) },
          )}
        </p>
      )}
      {failed && (
        <LoadFailure
          title={t('dashboard.charts.loadFailed', 'Failed to load the charts')}
          read={charts}
        />
      )}
      {!failed && (
        <div
          className={`grid gap-4 @min-[57rem]:grid-cols-2 ${charts.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <ChartCard
            title={t('dashboard.scores', 'Score distribution')}
            aside={t('dashboard.scores.note', 'Completed attempts in this period, by percentage')}
            loading={data === undefined && t('dashboard.scores.loading', 'Loading scores...')}
            empty={t('dashboard.scores.none', 'No attempt was completed in this period')}
            {...{
              nameHead: t(/* a column */ 'dashboard.percentage', 'Percentage'),
              countHead: t(/* a column */ 'dashboard.scores.count', 'Completed attempts'),
            }}
            bars={scores}
            axis={PER_CENT}
          />
          <ChartCard
            title={t('dashboard.ends', 'Completions per day')}
            aside={
              data &&
              t(
                /* the days of a chart begin at midnight in this time zone */ 'dashboard.daysIn',
                'In this period, days in {timeZone}',
                { timeZone: data.timeZone },
              )
            }
            loading={data === undefined && t('dashboard.ends.loading', 'Loading completions...')}
            empty={t('dashboard.ends.none', 'No attempt ended in this period')}
            {...{
              nameHead: t(/* a column */ 'dashboard.day', 'Day'),
              countHead: t(/* a column */ 'dashboard.ends.count', 'Attempts ended'),
            }}
            bars={ends}
            axis={[ends[0]?.name ?? '', ends.at(-1)?.name ?? '']}
          />
        </div>
      )}
    </section>
  );
}

function ChartCard({
  title,
  aside,
  loading,
  empty,
  ...chart
}: Omit<ComponentProps<typeof BarChart>, 'caption'> & {
  title: string;
  aside: string | undefined;
  loading: string | false;
  /** The sentence without any bar. */
  empty: string;
}) {
  return (
    <Card title={title} aside={aside && <p className="text-sm text-ink-3">{aside}</p>}>
      {loading !== false ? (
        <SkeletonRows rows={3}>{loading}</SkeletonRows>
      ) : totalOf(chart.bars) === 0 ? (
        <EmptyState>{empty}</EmptyState>
      ) : (
        <BarChart caption={title} {...chart} />
      )}
    </Card>
  );
}

/** The ten bins in percent, the last one closed on both ends. */
export function scoreBars(histogram: StatsCharts['histogram']): Bar[] {
  return histogram.map((count, bin) => ({
    name: t(/* percentages: “10 to 19” */ 'ui.chart.range', '{from} to {to}', {
      from: bin * 10,
      to: bin === 9 ? 100 : bin * 10 + 9,
    }),
    count,
  }));
}

// A day in the server's time zone is a date, not an instant: do not convert it.
const dayName = (day: string) => dateText(day, { dateStyle: 'medium', timeZone: 'UTC' });

export function dayBars(completions: StatsCharts['completions']): Bar[] {
  return completions.map(({ day, count }) => ({ name: dayName(day), count }));
}

export function totalOf(bars: readonly Bar[]): number {
  return bars.reduce((sum, { count }) => sum + count, 0);
}
