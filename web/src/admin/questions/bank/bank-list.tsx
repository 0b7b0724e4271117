import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { Archive, ArchiveRestore, FolderInput, Plus, Tags, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { QUESTION_TYPE_NAMES, questionsText } from '../../../lib/question-labels.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ListFooter } from '../../../ui/tables/pagination.tsx';
import {
  Cell,
  HeadCell,
  LabelledValue,
  LabelledValues,
  Row,
  Table,
} from '../../../ui/tables/table.tsx';
import {
  BANK_PAGE_ROWS,
  type BankFilter,
  BULK_MAX,
  isNarrowed,
  matchOf,
  NO_BANK_FILTER,
  useBank,
  useDuplicates,
} from '../../data/bank.ts';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { LoadFailure } from '../../parts/failures.tsx';
import { type BankListProps, BankTitle, DIFFICULTY_NAMES, OwnerOf } from './bank-cells.tsx';

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
    return <LoadFailure title="Failed to load questions" read={bank} />;
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
          total={questionsText(data.total)}
          page={filter.page}
          pages={pages}
          onPage={(page) => onChange({ ...filter, page })}
        />
      )}
    </Card>
  );
}

function BankTable({ rows, ...selection }: BankListProps) {
  return (
    <Table label="Questions">
      <thead>
        <tr>
          <HeadCell>Question</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell>Difficulty</HeadCell>
          <HeadCell end>Points</HeadCell>
          <HeadCell>Belongs to</HeadCell>
          <HeadCell end>Times seen</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((question) => (
          <Row key={question.id}>
            <Cell className="w-1/2">
              <BankTitle question={question} {...selection} />
            </Cell>
            <Cell className="whitespace-nowrap text-ink-2">
              {QUESTION_TYPE_NAMES[question.definition.type]}
            </Cell>
            <Cell className="text-ink-2">
              {question.difficulty === null ? '–' : DIFFICULTY_NAMES[question.difficulty]}
            </Cell>
            <Cell end>{question.definition.points}</Cell>
            <Cell className="wrap-anywhere text-ink-2">
              <OwnerOf question={question} />
            </Cell>
            <Cell end>{question.timesSeen.toLocaleString('en-GB')}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function BankCards({ rows, ...selection }: BankListProps) {
  return (
    <ul aria-label="Questions">
      {rows.map((question) => (
        <li
          key={question.id}
          className="grid gap-2.5 border-b border-line px-4 py-3.5 last:border-b-0"
        >
          <BankTitle question={question} {...selection} />
          <LabelledValues>
            <LabelledValue label="Type">
              {QUESTION_TYPE_NAMES[question.definition.type]}
            </LabelledValue>
            <LabelledValue label="Difficulty">
              {question.difficulty === null ? '–' : DIFFICULTY_NAMES[question.difficulty]}
            </LabelledValue>
            <LabelledValue label="Points">{question.definition.points}</LabelledValue>
            <LabelledValue label="Belongs to">
              <OwnerOf question={question} />
            </LabelledValue>
            <LabelledValue label="Times seen">
              {question.timesSeen.toLocaleString('en-GB')}
            </LabelledValue>
          </LabelledValues>
        </li>
      ))}
    </ul>
  );
}

/** Groups of questions with the same content and key, in the bank or in one assessment. */
export function BankDuplicates({
  asCards,
  ...selection
}: BankSelectionProps & { asCards: boolean }) {
  const groups = useDuplicates(true);
  if (groups.isError) {
    return <LoadFailure title="Failed to load duplicates" read={groups} />;
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
          title={`${questionsText(group.length)} with the same content and key`}
        >
          <List rows={group} selected={selection.selected} onSelect={selection.onSelect} />
        </Card>
      ))}
    </div>
  );
}

function extras(groups: readonly BankQuestion[][]): string[] {
  return groups.flatMap((group) => group.slice(1).map(({ id }) => id));
}

export type BankAction = 'labels' | 'move' | 'archive' | 'restore' | 'delete';

interface BankSelectionProps {
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  /** Absent: the list has one page. */
  onSelectAll?: () => void;
  selectingAll?: boolean;
  onClear(): void;
  onAction(action: BankAction): void;
}

function BankSelection({
  pageIds,
  pageLabel = 'Select all on this page',
  total,
  selected,
  isArchived,
  onSelect,
  onSelectAll,
  selectingAll = false,
  onClear,
  onAction,
}: BankSelectionProps & {
  pageIds: readonly string[];
  pageLabel?: string;
  total: number;
  isArchived: boolean;
}) {
  const n = selected.size;
  return (
    <SelectionBar
      label={pageLabel}
      ids={pageIds}
      selected={selected}
      onSelect={onSelect}
      all={onSelectAll && { total, most: BULK_MAX, isBusy: selectingAll, onSelect: onSelectAll }}
    >
      {n > 0 && (
        <>
          <Button variant="ghost" size="dense" onClick={onClear}>
            Clear selection
          </Button>
          <span className="flex flex-wrap gap-2 md:ml-auto">
            <Button size="dense" icon={<Tags />} onClick={() => onAction('labels')}>
              Labels
            </Button>
            <Button size="dense" icon={<FolderInput />} onClick={() => onAction('move')}>
              Move
            </Button>
            {isArchived ? (
              <Button size="dense" icon={<ArchiveRestore />} onClick={() => onAction('restore')}>
                Restore
              </Button>
            ) : (
              <Button size="dense" icon={<Archive />} onClick={() => onAction('archive')}>
                Archive
              </Button>
            )}
            <Button
              variant="danger-ghost"
              size="dense"
              icon={<Trash2 />}
              onClick={() => onAction('delete')}
            >
              Delete
            </Button>
          </span>
        </>
      )}
    </SelectionBar>
  );
}
