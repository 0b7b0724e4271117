import type { Stats } from '@invigil/core/contract/review/stats';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/dates.ts';
import { Card } from '../../ui/card.tsx';

/** Open assessments that close within two weeks; hidden if there are none. */
export function EndingSoon({ quizzes }: { quizzes: Stats['endingSoon'] }) {
  if (quizzes.length === 0) return null;
  return (
    <Card title="Ending soon">
      <ul className="tabular-nums">
        {quizzes.map(({ quizId, title, endDate, invited, started }) => (
          <li
            key={quizId}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-5 py-2 last:border-b-0"
          >
            <span className="min-w-0">
              <Link
                to={`/admin/participants?quizId=${quizId}`}
                title={title}
                className="block truncate font-medium underline-offset-4 hover:underline touch:leading-11"
              >
                {title}
              </Link>
              <time dateTime={endDate} className="block text-sm text-ink-3">
                {formatDateTime(endDate)}
              </time>
            </span>
            <span className="text-right text-sm text-ink-2">{`${started} started, ${invited} invited`}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
