import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { formatDateTime } from '../../../lib/dates.ts';

/** The end date or N/A (specification 2). */
export function QuizEndDate({ quiz }: { quiz: Quiz }) {
  if (quiz.endDate === null) return <span>N/A</span>;
  return (
    <>
      <time dateTime={quiz.endDate} className="@min-[45rem]:whitespace-nowrap">
        {formatDateTime(quiz.endDate)}
      </time>
      {quiz.finishAfterEnd && (
        <span className="block text-xs text-ink-3">Started attempts may finish</span>
      )}
    </>
  );
}
