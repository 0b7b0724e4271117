import { Link } from 'react-router';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';
import { isFiltered, type ParticipantsFilter } from './participants-filter.ts';

/** Nothing to show: no attempts, no match for the filter, or a page past the end. */
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
  return (
    <EmptyState
      action={
        isFiltered(filter) ? (
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
