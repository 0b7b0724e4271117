import { formatDate } from '../../../lib/dates.ts';
import { StatusBadge } from '../../../ui/badges/status-badge.tsx';
import { LabelledValue, LabelledValues } from '../../../ui/labelled-values.tsx';
import { statusOf } from '../quiz-filter.ts';
import { QuizActions, type QuizListProps } from './quiz-actions.tsx';
import { QuizEndDate } from './quiz-end-date.tsx';

/** The table on narrow screens: name and badge, meta line, then label and value. */
export function QuizCards({ quizzes, onAction }: QuizListProps) {
  return (
    <ul aria-label="Assessments">
      {quizzes.map((quiz) => (
        <li key={quiz.id} className="grid gap-2.5 border-b border-line px-4 py-3.5 last:border-b-0">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <div className="font-medium break-words">{quiz.title}</div>
              <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
            </div>
            <StatusBadge status={statusOf(quiz)} />
          </div>
          <LabelledValues>
            <LabelledValue label="Category">{quiz.category}</LabelledValue>
            <LabelledValue label="Questions">{quiz.questionCount}</LabelledValue>
            <LabelledValue label="Duration">{quiz.duration} min</LabelledValue>
            <LabelledValue label="End date">
              <QuizEndDate quiz={quiz} />
            </LabelledValue>
          </LabelledValues>
          <div className="-mx-2 flex">
            <QuizActions quiz={quiz} onAction={onAction} />
          </div>
        </li>
      ))}
    </ul>
  );
}
