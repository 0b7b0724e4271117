import { getStats, type Stats } from '@invigil/core/contract/review/stats';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, ClipboardList, Users } from 'lucide-react';
import { zoneName } from '../../lib/format.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { StatusBadge } from '../../ui/badges/badge.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadFailure } from '../failures.tsx';
import { Charts } from './charts.tsx';
import {
  CodesEnding,
  EndingSoon,
  MailProblems,
  QuickActions,
  RecentActivity,
  StatCard,
  TopScorers,
} from './dashboard-cards.tsx';

const STATS = endpointQuery(getStats, {});

/** /admin and /admin/dashboard: metrics, recent activity and shortcuts. */
export function DashboardScreen() {
  // Nothing refetches automatically, so opening the dashboard does.
  const stats = useQuery(STATS);

  return (
    <>
      <PageHeader
        title="Dashboard Overview"
        subtitle="Monitor Assessment performance and manage assessments"
      >
        <span className="text-sm text-ink-3">Times in {zoneName()}</span>
      </PageHeader>
      {stats.isError && stats.data === undefined ? (
        <LoadFailure title="Failed to load the dashboard" read={stats} />
      ) : (
        <div className="@container">
          <MailProblems />
          <CodesEnding quizzes={stats.data?.codesEnding ?? []} />
          <Figures stats={stats.data} />
          <div className="grid items-stretch gap-4 @min-[57rem]:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
            <RecentActivity items={stats.data?.recentActivity} />
            <div className="grid content-start gap-4 @min-[40rem]:grid-cols-2 @min-[57rem]:grid-cols-1">
              <QuickActions />
              <EndingSoon quizzes={stats.data?.endingSoon ?? []} />
              <TopScorers scorers={stats.data?.topScorers} timeZone={stats.data?.timeZone} />
            </div>
          </div>
          <Charts />
        </div>
      )}
    </>
  );
}

function Figures({ stats }: { stats: Stats | undefined }) {
  const notOpen = (stats?.totalQuizzes ?? 0) - (stats?.activeQuizzes ?? 0);
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 @min-[28rem]:gap-4 @min-[57rem]:grid-cols-4">
      <StatCard
        label="Total Assessments"
        figure={stats?.totalQuizzes}
        meaning={`${notOpen} not open`}
        aside={<ClipboardList />}
      />
      <StatCard
        label="Total Participants"
        figure={stats?.totalParticipants}
        meaning="Attempts started"
        aside={<Users />}
      />
      <StatCard
        label="Active Assessments"
        figure={stats?.activeQuizzes}
        meaning="Open now"
        aside={<StatusBadge status="live" />}
      />
      <StatCard
        label="Average Score"
        figure={`${(stats?.averageScore ?? 0).toFixed(1)} %`}
        loading={stats === undefined}
        meaning="Of completed attempts"
        aside={<ChartNoAxesColumn />}
      />
    </div>
  );
}
