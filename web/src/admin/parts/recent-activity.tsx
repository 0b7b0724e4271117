import type { Stats } from '@invigil/core/contract/review/stats';
import { t } from '@invigil/core/texts/i18n';
import { Link } from 'react-router';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { scoreText } from '../../lib/score-text.ts';
import { StatusBadge } from '../../ui/badges/badge.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** The latest events of attempts, newest first. */
export function RecentActivity({
  items,
  title = t('parts.activity.title', 'Recent Activity'),
  all = '/admin/participants',
}: {
  items: Stats['recentActivity'] | undefined;
  title?: string;
  /** The list of all attempts; `null`: they and their records are not the reader's. */
  all?: string | null;
}) {
  const columns = items?.some((item) => item.maxPoints !== undefined)
    ? '@min-[40rem]:grid-cols-[minmax(0,1fr)_8rem_6rem_5rem]'
    : '@min-[40rem]:grid-cols-[minmax(0,1fr)_3.5rem_6rem_5rem]';
  return (
    <Card
      title={title}
      aside={
        all !== null && (
          <Link
            to={all}
            className="inline-flex items-center text-sm font-medium text-accent-ink hover:underline touch:-my-2.5 touch:min-h-11"
          >
            {t(/* a link to the list */ 'parts.activity.all', 'All participants')}
          </Link>
        )
      }
    >
      {items === undefined ? (
        <SkeletonRows>{t('parts.activity.loading', 'Loading activity...')}</SkeletonRows>
      ) : items.length === 0 ? (
        <EmptyState>{t('parts.activity.none', 'No recent activity')}</EmptyState>
      ) : (
        <ul className="tabular-nums">
          {items.map((item, index) => (
            <li
              // Two events may have the same text; the index distinguishes them.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${item.at} ${index}`}
              className={`flex min-h-11 flex-wrap items-center gap-x-3.5 gap-y-1 border-b border-line px-5 py-2 last:border-b-0 @min-[40rem]:grid ${columns}`}
            >
              {all === null ? (
                <span className="min-w-0 basis-full wrap-anywhere line-clamp-2">
                  {item.description}
                </span>
              ) : (
                <Link
                  to={`/admin/participants/${item.participantId}`}
                  title={item.description}
                  className="min-w-0 basis-full wrap-anywhere underline-offset-4 hover:underline line-clamp-2"
                >
                  {item.description}
                </Link>
              )}
              <span className="font-medium whitespace-nowrap empty:hidden @min-[40rem]:text-end @min-[40rem]:empty:inline">
                {scoreText(item, ' / ')}
              </span>
              <span>
                {/* The badge shows what happened, not how the attempt is today. */}
                <StatusBadge status={item.kind === 'started' ? 'started' : item.status} />
              </span>
              <time
                dateTime={item.at}
                title={formatDateTime(item.at)}
                className="ms-auto text-end text-sm whitespace-nowrap text-ink-3"
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
