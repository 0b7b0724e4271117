import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { questionsWords } from '../../lib/question-words.ts';
import { sentenceOf } from '../../net/api.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';
import { ListFooter } from '../../ui/tables/list-footer.tsx';
import { useBank } from './bank-api.ts';
import {
  BANK_PAGE_ROWS,
  type BankFilter,
  isNarrowed,
  matchOf,
  NO_BANK_FILTER,
} from './bank-filter.ts';
import { BankCards, BankTable } from './bank-list.tsx';
import { BankSelection, type BankSelectionProps } from './bank-selection.tsx';

/** A page of the bank, filtered by the server; the selection persists across pages. */
export function BankPageList({
  filter,
  onChange,
  asCards,
  ...selection
}: BankSelectionProps & {
  filter: BankFilter;
  onChange(next: BankFilter): void;
  asCards: boolean;
}) {
  const bank = useBank(matchOf(filter), filter.page);
  const { data } = bank;
  const List = asCards ? BankCards : BankTable;
  if (bank.isError) {
    return (
      <FailureNotice
        title="Failed to load questions"
        onRetry={() => void bank.refetch()}
        retrying={bank.isFetching}
      >
        {sentenceOf(bank.error)}
      </FailureNotice>
    );
  }
  if (data === undefined) {
    return (
      <Card>
        <SkeletonRows>Loading questions...</SkeletonRows>
      </Card>
    );
  }
  const pages = Math.max(1, Math.ceil(data.total / BANK_PAGE_ROWS));
  return (
    <Card>
      {data.rows.length > 0 ? (
        <div
          aria-busy={bank.isPlaceholderData}
          className={bank.isPlaceholderData ? 'opacity-60' : ''}
        >
          <BankSelection
            {...selection}
            pageIds={data.rows.map(({ id }) => id)}
            total={data.total}
            isArchived={filter.state === 'archived'}
          />
          <List rows={data.rows} selected={selection.selected} onSelect={selection.onSelect} />
        </div>
      ) : data.total > 0 ? (
        <EmptyState
          action={<Button onClick={() => onChange({ ...filter, page: 1 })}>First page</Button>}
        >
          This page is now empty.
        </EmptyState>
      ) : isNarrowed(filter) ? (
        <EmptyState
          action={<Button onClick={() => onChange(NO_BANK_FILTER)}>Clear filters</Button>}
        >
          No question matches these filters.
        </EmptyState>
      ) : (
        <EmptyState
          action={
            <Link to="/admin/questions/new" className={buttonClasses('primary', 'admin')}>
              <Plus />
              New question
            </Link>
          }
        >
          No questions yet. Write the first one, or import a file.
        </EmptyState>
      )}
      {data.total > 0 && (
        <ListFooter
          total={questionsWords(data.total)}
          page={filter.page}
          pages={pages}
          onPage={(page) => onChange({ ...filter, page })}
        />
      )}
    </Card>
  );
}
