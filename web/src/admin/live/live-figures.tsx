import type { LiveEnded } from '@invigil/core/contract/review/live';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { StatusBadge } from '../../ui/badges/badge.tsx';
import { Glyph } from '../../ui/badges/glyphs.tsx';
import { Card } from '../../ui/card.tsx';
import type { Board } from './board/use-live-board.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** `Network Fundamentals. The last attempt ends at 11:04.` */
export function lastEndSentence(board: Board, quizId: string | null): string {
  const title = board.quizzes.find((quiz) => quiz.quizId === quizId)?.title;
  const ends = [...board.attempts.values()]
    .filter((attempt) => quizId === null || attempt.quizId === quizId)
    .map(({ id }) => board.endsAt.get(id) ?? 0);
  const name = title === undefined ? '' : `${title}. `;
  if (ends.length === 0) return `${name}No one is taking an assessment right now.`;
  return `${name}The last attempt ends at ${clock.format(Math.max(...ends))}.`;
}

/** Counts for one assessment or for all in progress. */
export function LiveFigures({
  board,
  quizId,
  needAttention,
}: {
  board: Board;
  quizId: string | null;
  needAttention: number;
}) {
  const quizzes = board.quizzes.filter((quiz) => quizId === null || quiz.quizId === quizId);
  const sum = (name: 'notStarted' | 'completed' | 'dismissed') =>
    quizzes.reduce((all, quiz) => all + quiz[name], 0);
  const writing = [...board.attempts.values()].filter(
    (attempt) => quizId === null || attempt.quizId === quizId,
  ).length;
  const figures: [label: string, sign: ReactNode, count: number][] = [
    ['In progress', <Glyph key="sign" name="half" className="text-accent-ink" />, writing],
    [
      'Need attention',
      <TriangleAlert key="sign" className="size-3.5 text-warn-ink" />,
      needAttention,
    ],
    ['Not started', <Glyph key="sign" name="dashed" />, sum('notStarted')],
    ['Completed', <Glyph key="sign" name="ticked" className="text-ok-ink" />, sum('completed')],
    ['Dismissed', <Glyph key="sign" name="slashed" className="text-bad-ink" />, sum('dismissed')],
  ];
  return (
    <Card className="mb-6">
      <dl className="grid grid-cols-2 gap-y-3 px-5 py-3.5 tabular-nums md:grid-cols-5 md:divide-x md:divide-line md:p-0">
        {figures.map(([label, sign, count]) => (
          <div key={label} className="md:px-5 md:py-3.5">
            <dt className="flex items-center gap-1.5 text-sm text-ink-2">
              {sign}
              {label}
            </dt>
            <dd className="text-2xl font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line px-5 py-2 text-sm text-ink-3">
        For assessments in progress. Completed and dismissed cover the last 24 hours.
      </p>
    </Card>
  );
}

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
