import { Link } from 'react-router';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NO_FILTER, type ParticipantsFilter } from './participants-filter.ts';

/** Nothing to show: nobody has started, the filter leaves nobody, or the page lies past the end. */
export function NoParticipants({
  filter,
  total,
  onClear,
  onFirstPage,
}: {
  filter: ParticipantsFilter;
  total: number;
  onClear(): void;
  onFirstPage(): void;
}) {
  if (total > 0) {
    return (
      <EmptyState action={<Button onClick={onFirstPage}>Go to the first page</Button>}>
        There is nothing on this page.
      </EmptyState>
    );
  }
  const isFiltered =
    filter.quizId !== NO_FILTER.quizId ||
    filter.status !== NO_FILTER.status ||
    filter.review !== NO_FILTER.review ||
    filter.search !== NO_FILTER.search;
  return (
    <EmptyState
      action={
        isFiltered ? (
          <Button onClick={onClear}>Clear filters</Button>
        ) : (
          <Link to="/admin/quizzes" className={buttonClasses('primary', 'admin')}>
            Go to Assessments
          </Link>
        )
      }
    >
      No participants found. Send Assessment invitations to get started.
    </EmptyState>
  );
}
