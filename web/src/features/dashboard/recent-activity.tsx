import type { Stats } from '@invigil/core/contract/stats';
import { Link } from 'react-router';
import { formatAgo, formatDateTime } from '../../lib/dates.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** The last starts and ends. */
export function RecentActivity({ items }: { items: Stats['recentActivity'] | undefined }) {
  return (
    <Card
      title="Recent Activity"
      aside={
        <Link
          to="/admin/participants"
          className="text-sm font-medium text-accent-ink hover:underline"
        >
          All participants
        </Link>
      }
    >
      {items === undefined ? (
        <SkeletonRows>Loading activity...</SkeletonRows>
      ) : items.length === 0 ? (
        <EmptyState>No recent activity</EmptyState>
      ) : (
        <ul className="tabular-nums">
          {items.map((item, index) => (
            <li
              // Two events may read the same; their place in the list tells them apart.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${item.at} ${index}`}
              className="flex min-h-11 flex-wrap items-center gap-x-3.5 gap-y-1 border-b border-line px-5 py-2 last:border-b-0"
            >
              <span className="min-w-0 flex-1 basis-60 break-words">{item.description}</span>
              {item.score !== null && (
                <span className="text-right font-medium whitespace-nowrap">
                  {item.totalMarks === null ? item.score : `${item.score} / ${item.totalMarks}`}
                </span>
              )}
              <span className="w-24">
                <StatusBadge status={item.status} />
              </span>
              <time
                dateTime={item.at}
                title={formatDateTime(item.at)}
                className="ml-auto w-20 text-right text-sm whitespace-nowrap text-ink-3"
              >
                {formatAgo(item.at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
