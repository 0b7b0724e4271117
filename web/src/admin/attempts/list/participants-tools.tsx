import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useSeesWhoseAttempts } from '../../data/own-rights.ts';
import { Filters } from '../../list/filter-select.tsx';
import { VERDICT_WORDS, VERDICTS } from '../../parts/verdicts.tsx';
import type { ParticipantSort, ParticipantsFilter } from './participants-filter.ts';

const STATUSES: { value: NonNullable<ParticipantsFilter['status']>; label: string }[] = [
  { value: 'in_progress', label: 'In progress' },
  { value: 'completed', label: 'Completed' },
  { value: 'dismissed', label: 'Dismissed' },
];

const REVIEWS: { value: NonNullable<ParticipantsFilter['review']>; label: string }[] = [
  { value: 'open', label: 'To review' },
  ...VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
];

const RESULTS: { value: NonNullable<ParticipantsFilter['result']>; label: string }[] = [
  { value: 'passed', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
];

export function ParticipantsTools({
  filter,
  quizzes,
  onChange,
  onRenew,
  renewing,
  withOrder,
  children,
}: {
  filter: ParticipantsFilter;
  /** `null`: the list is of one assessment. */
  quizzes: readonly SelectOption[] | null;
  onChange(next: ParticipantsFilter, replace?: boolean): void;
  onRenew(): void;
  renewing: boolean;
  /** The list has no column headers to sort by. */
  withOrder: boolean;
  children?: ReactNode;
}) {
  const maySee = useSeesWhoseAttempts();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      {maySee && (
        <search className="min-w-0 flex-1 sm:max-w-65 sm:basis-48">
          <SearchBox
            label="Search by email or id"
            placeholder="Name, email, number or id"
            maxLength={320}
            value={filter.search}
            onSearch={(search) => onChange({ ...filter, search, page: 1 }, true)}
          />
        </search>
      )}
      <Filters
        view={filter}
        onNarrow={(change) => onChange({ ...filter, ...change, page: 1 })}
        filters={[
          quizzes !== null && [
            'quizId',
            'Assessment',
            'All Assessments',
            quizzes,
            'sm:w-58!',
            // An archived assessment is not listed, but links to its participants must work.
            'Another assessment',
          ],
          ['status', 'Status', 'Any status', STATUSES, 'sm:w-40!'],
          ['review', 'Review', 'Any review', REVIEWS, 'sm:w-44!'],
          ['result', 'Result', 'Any result', RESULTS, 'sm:w-36!'],
        ]}
      >
        {withOrder && <ParticipantsSort filter={filter} onChange={onChange} />}
      </Filters>
      <IconButton label="Reload the list" onClick={onRenew} aria-busy={renewing}>
        <RefreshCw />
      </IconButton>
      {children !== undefined && <div className="sm:ms-auto">{children}</div>}
    </div>
  );
}

const ORDERS: readonly { sort: ParticipantSort; order: 'asc' | 'desc'; label: string }[] = [
  { sort: 'startedAt', order: 'desc', label: 'Newest first' },
  { sort: 'startedAt', order: 'asc', label: 'Oldest first' },
  { sort: 'score', order: 'desc', label: 'Highest score first' },
  { sort: 'score', order: 'asc', label: 'Lowest score first' },
  { sort: 'violationCount', order: 'desc', label: 'Most violations first' },
  { sort: 'timeSpent', order: 'desc', label: 'Longest time first' },
  { sort: 'userEmail', order: 'asc', label: 'By email' },
  { sort: 'userName', order: 'asc', label: 'By name' },
];

/** Sorting for cards, which have no column headers. */
function ParticipantsSort({
  filter,
  onChange,
}: {
  filter: ParticipantsFilter;
  onChange(next: ParticipantsFilter): void;
}) {
  const maySee = useSeesWhoseAttempts();
  const orders = ORDERS.filter(({ sort }) => maySee || !sort.startsWith('user'));
  const options = orders.map(({ label }, index) => ({ value: String(index), label }));
  const now = orders.findIndex(({ sort, order }) => sort === filter.sort && order === filter.order);
  return (
    <SelectControl
      aria-label="Order"
      className="w-full! sm:w-52!"
      placeholder="Another order"
      options={options}
      value={now === -1 ? undefined : String(now)}
      onChange={(value) => {
        const selected = orders[Number(value)];
        if (selected === undefined) return;
        onChange({ ...filter, sort: selected.sort, order: selected.order, page: 1 });
      }}
    />
  );
}
