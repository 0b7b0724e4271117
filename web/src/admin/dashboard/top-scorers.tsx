import type { Stats } from '@invigil/core/contract/review/stats';
import { scoreWords } from '../../lib/points.ts';
import { wholeMinutes } from '../../lib/time-spent.ts';
import { Card } from '../../ui/card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';

/** Rank, name, assessment, score and whole minutes of this week's top three. */
export function TopScorers({
  scorers,
  timeZone,
}: {
  scorers: Stats['topScorers'] | undefined;
  /** The time zone in which the week begins on Monday at 00:00. */
  timeZone: string | undefined;
}) {
  return (
    <Card
      title="Top Scorers This Week"
      aside={timeZone && <p className="text-sm text-ink-3">Since Monday 00:00, {timeZone}</p>}
    >
      {scorers === undefined ? (
        <SkeletonRows rows={3}>Loading scorers...</SkeletonRows>
      ) : scorers.length === 0 ? (
        <EmptyState>No scorers data available</EmptyState>
      ) : (
        <ol className="tabular-nums">
          {scorers.map((scorer, index) => (
            <li
              key={`${scorer.name} ${scorer.quiz}`}
              className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-5 py-2 last:border-b-0"
            >
              <span
                data-shape=""
                className={`grid size-7 place-items-center rounded-full border-[1.5px] text-sm font-semibold ${index === 0 ? 'border-accent bg-accent text-on-accent' : 'border-line-strong text-ink-2'}`}
              >
                {index + 1}
              </span>
              <span className="min-w-0">
                <span className="block truncate font-medium" title={scorer.name}>
                  {scorer.name}
                </span>
                <span className="block truncate text-sm text-ink-3" title={scorer.quiz}>
                  {scorer.quiz}
                </span>
              </span>
              <span className="text-right">
                <span className="block font-semibold">{scoreWords(scorer, ' / ')}</span>
                <span className="text-sm text-ink-3">{`${wholeMinutes(scorer.timeSpent)} min`}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
