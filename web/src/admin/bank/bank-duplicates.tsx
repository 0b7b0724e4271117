import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { ReactNode } from 'react';
import { questionsWords } from '../../lib/question-words.ts';
import { sentenceOf } from '../../net/api.ts';
import { Card } from '../../ui/card.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';
import { useDuplicates } from './bank-api.ts';
import type { BankListProps } from './bank-cells.tsx';
import { BankCards, BankTable } from './bank-list.tsx';
import { BankSelection, type BankSelectionProps } from './bank-selection.tsx';

/** Groups of questions with the same content and key, in the bank or in one assessment. */
export function BankDuplicates({
  asCards,
  ...selection
}: BankSelectionProps & { asCards: boolean }) {
  const groups = useDuplicates(true);
  if (groups.isError) {
    return (
      <FailureNotice
        title="Failed to load duplicates"
        onRetry={() => void groups.refetch()}
        retrying={groups.isFetching}
      >
        {sentenceOf(groups.error)}
      </FailureNotice>
    );
  }
  if (groups.isPending) {
    return (
      <Card>
        <SkeletonRows>Loading duplicates...</SkeletonRows>
      </Card>
    );
  }
  if (groups.data.length === 0) {
    return (
      <Card>
        <EmptyState>
          No two questions of the bank, or of one assessment, have the same content and key.
        </EmptyState>
      </Card>
    );
  }
  const all = groups.data.flat();
  const List: (props: BankListProps) => ReactNode = asCards ? BankCards : BankTable;
  return (
    <div className="grid gap-4">
      <Card>
        <BankSelection
          {...selection}
          pageIds={extras(groups.data)}
          pageLabel="Select all but the first of each group"
          total={all.length}
          isArchived={false}
        />
      </Card>
      {groups.data.map((group) => (
        <Card
          key={group[0]?.id}
          title={`${questionsWords(group.length)} with the same content and key`}
        >
          <List rows={group} selected={selection.selected} onSelect={selection.onSelect} />
        </Card>
      ))}
    </div>
  );
}

/** The questions of each group except its first. */
function extras(groups: readonly BankQuestion[][]): string[] {
  return groups.flatMap((group) => group.slice(1).map(({ id }) => id));
}
