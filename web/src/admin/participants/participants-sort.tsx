import { SelectControl } from '../../ui/fields/select-field.tsx';
import type { ParticipantSort, ParticipantsFilter } from './participants-filter.ts';

const ORDERS: readonly { sort: ParticipantSort; order: 'asc' | 'desc'; label: string }[] = [
  { sort: 'startedAt', order: 'desc', label: 'Newest first' },
  { sort: 'startedAt', order: 'asc', label: 'Oldest first' },
  { sort: 'score', order: 'desc', label: 'Highest score first' },
  { sort: 'score', order: 'asc', label: 'Lowest score first' },
  { sort: 'violationCount', order: 'desc', label: 'Most violations first' },
  { sort: 'timeSpent', order: 'desc', label: 'Longest time first' },
  { sort: 'userEmail', order: 'asc', label: 'By email' },
];
const OPTIONS = ORDERS.map(({ label }, index) => ({ value: String(index), label }));

/** Sorting for cards, which have no column headers. */
export function ParticipantsSort({
  filter,
  onChange,
}: {
  filter: ParticipantsFilter;
  onChange(next: ParticipantsFilter): void;
}) {
  const now = ORDERS.findIndex(({ sort, order }) => sort === filter.sort && order === filter.order);
  return (
    <SelectControl
      aria-label="Order"
      className="w-full! sm:w-52!"
      placeholder="Another order"
      options={OPTIONS}
      value={now === -1 ? undefined : String(now)}
      onChange={(value) => {
        const selected = ORDERS[Number(value)];
        if (selected === undefined) return;
        onChange({ ...filter, sort: selected.sort, order: selected.order, page: 1 });
      }}
    />
  );
}
