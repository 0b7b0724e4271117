import { listQuizzes } from '@invigil/core/contract/assessments/quizzes';
import { getStatsCharts } from '@invigil/core/contract/review/stats';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Card } from '../../ui/card.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SelectControl } from '../../ui/fields/select-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';
import { BarChart } from './bar-chart.tsx';
import { dayBars, scoreBars, totalOf } from './chart-data.ts';

const ALL = 'all';
const PERIODS = [7, 30, 90].map((days) => ({ value: String(days), label: `Last ${days} days` }));
const PER_CENT = ['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100'];

/** Distribution of scores and completed attempts per day, for one assessment or all. */
export function Charts() {
  const [quizId, setQuizId] = useState(ALL);
  const [days, setDays] = useState('30');
  const quizzes = useQuery(endpointQuery(listQuizzes, {}));
  const charts = useQuery({
    ...endpointQuery(getStatsCharts, {
      query: { days: Number(days), ...(quizId === ALL ? {} : { quizId }) },
    }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const names = (quizzes.data ?? []).map(({ id, title }) => ({ value: id, label: title }));
  const { data } = charts;
  const scores = scoreBars(data?.histogram ?? []);
  const ends = dayBars(data?.completions ?? []);

  const failed = charts.isError && (data === undefined || charts.isPlaceholderData);
  return (
    <section aria-label="Results" aria-busy={charts.isPlaceholderData} className="mt-7 grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="w-full sm:mr-auto sm:w-auto">Results</h2>
        <SelectControl
          aria-label="Assessment for the charts"
          className="w-full! sm:w-58!"
          options={[{ value: ALL, label: 'All Assessments' }, ...names]}
          value={quizId}
          onChange={setQuizId}
        />
        <SelectControl
          aria-label="Period for the charts"
          className="w-full! sm:w-40!"
          options={PERIODS}
          value={days}
          onChange={setDays}
        />
      </div>
      {failed && (
        <FailureNotice
          title="Failed to load the charts"
          onRetry={() => void charts.refetch()}
          retrying={charts.isFetching}
        >
          {sentenceOf(charts.error)}
        </FailureNotice>
      )}
      {!failed && (
        <div
          className={`grid gap-4 @min-[57rem]:grid-cols-2 ${charts.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Card
            title="Score distribution"
            aside={
              <p className="text-sm text-ink-3">Completed attempts in this period, by percentage</p>
            }
          >
            {data === undefined ? (
              <SkeletonRows rows={3}>Loading scores...</SkeletonRows>
            ) : totalOf(scores) === 0 ? (
              <EmptyState>No attempt was completed in this period</EmptyState>
            ) : (
              <BarChart
                caption="Score distribution"
                nameHead="Percentage"
                countHead="Completed attempts"
                bars={scores}
                axis={PER_CENT}
              />
            )}
          </Card>
          <Card
            title="Completions per day"
            aside={
              data && <p className="text-sm text-ink-3">In this period, days in {data.timeZone}</p>
            }
          >
            {data === undefined ? (
              <SkeletonRows rows={3}>Loading completions...</SkeletonRows>
            ) : totalOf(ends) === 0 ? (
              <EmptyState>No attempt ended in this period</EmptyState>
            ) : (
              <BarChart
                caption="Completions per day"
                nameHead="Day"
                countHead="Attempts ended"
                bars={ends}
                axis={[ends[0]?.name ?? '', ends.at(-1)?.name ?? '']}
              />
            )}
          </Card>
        </div>
      )}
    </section>
  );
}
