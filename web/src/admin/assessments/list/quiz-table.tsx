import { formatDate } from '../../../lib/dates.ts';
import { StatusBadge } from '../../../ui/badges/status-badge.tsx';
import { Cell, HeadCell, Row, Table } from '../../../ui/tables/table.tsx';
import { statusOf } from '../quiz-filter.ts';
import { QuizActions, type QuizListProps } from './quiz-actions.tsx';
import { QuizEndDate } from './quiz-end-date.tsx';

/** Below 900 px of its own width the table omits the category. */
const WIDE_ONLY = '@max-[56.25rem]:hidden';

export function QuizTable({ quizzes, onAction }: QuizListProps) {
  return (
    <Table label="Assessments">
      <thead className="[&_th]:sticky [&_th]:top-0 [&_th]:z-10 [&_th]:bg-surface [&_th]:first:rounded-tl-lg [&_th]:last:rounded-tr-lg">
        <tr>
          <HeadCell>Title</HeadCell>
          <HeadCell className={WIDE_ONLY}>Category</HeadCell>
          <HeadCell end>Questions</HeadCell>
          <HeadCell end>Duration</HeadCell>
          <HeadCell>End date</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell end>Actions</HeadCell>
        </tr>
      </thead>
      <tbody>
        {quizzes.map((quiz) => (
          <Row key={quiz.id}>
            <Cell>
              <div className="font-medium break-words">{quiz.title}</div>
              <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
            </Cell>
            <Cell className={`text-ink-2 ${WIDE_ONLY}`}>{quiz.category}</Cell>
            <Cell end>{quiz.questionCount}</Cell>
            <Cell end className="whitespace-nowrap">
              {quiz.duration} min
            </Cell>
            <Cell className="text-ink-2">
              <QuizEndDate quiz={quiz} />
            </Cell>
            <Cell>
              <StatusBadge status={statusOf(quiz)} />
            </Cell>
            <Cell end className="whitespace-nowrap">
              <QuizActions quiz={quiz} onAction={onAction} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
