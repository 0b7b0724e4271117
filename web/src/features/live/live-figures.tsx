import { Card } from '../../ui/card.tsx';
import type { Board } from './board-state.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** `Network Fundamentals. The last attempt ends at 11:04.` */
export function lastEndSentence(board: Board, quizId: string | null): string {
  const title = board.quizzes.find((quiz) => quiz.quizId === quizId)?.title;
  const ends = [...board.attempts.values()]
    .filter((attempt) => quizId === null || attempt.quizId === quizId)
    .map(({ id }) => board.endsAt.get(id) ?? 0);
  const name = title === undefined ? '' : `${title}. `;
  if (ends.length === 0) return `${name}Nobody is writing just now.`;
  return `${name}The last attempt ends at ${clock.format(Math.max(...ends))}.`;
}

/** How many, of one assessment or of all that are written now. */
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
  const figures: [string, number][] = [
    ['Writing', writing],
    ['Need attention', needAttention],
    ['Not started', sum('notStarted')],
    ['Completed', sum('completed')],
    ['Dismissed', sum('dismissed')],
  ];
  return (
    <Card className="mb-6 px-5 py-3.5">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-4 gap-y-3 tabular-nums">
        {figures.map(([label, count]) => (
          <div key={label}>
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="text-2xl font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
