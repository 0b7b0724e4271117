import type { LiveEnded } from '@invigil/core/contract/review/live';
import { Link } from 'react-router';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { Card } from '../../ui/card.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** Attempts that ended in the last half hour; hidden if there are none. */
export function EndedList({
  ended,
  quizId,
}: {
  ended: readonly LiveEnded[];
  quizId: string | null;
}) {
  const shown = ended.filter((one) => quizId === null || one.quizId === quizId);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="live-ended">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id="live-ended">Finished</h2>
        <span className="text-sm text-ink-3">In the last 30 minutes</span>
      </div>
      <Card>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-x-6 px-5 py-2">
          {shown.map(({ id, userEmail, status, submittedAt }) => (
            <li key={id} className="flex min-h-11 items-center justify-between gap-3">
              <Link
                to={`/admin/participants/${id}`}
                className="min-w-0 truncate font-medium hover:text-accent-ink hover:underline"
              >
                {userEmail ?? 'Unknown'}
              </Link>
              <span className="flex flex-none items-center gap-3 text-sm text-ink-2 tabular-nums">
                <StatusBadge status={status} />
                <time dateTime={submittedAt}>{clock.format(new Date(submittedAt))}</time>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
