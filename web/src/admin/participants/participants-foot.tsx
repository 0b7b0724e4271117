import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { SelectControl } from '../../ui/fields/select-field.tsx';
import { Pagination } from '../../ui/tables/pagination.tsx';
import { entriesSentence } from './entries.ts';
import type { ParticipantsFilter } from './participants-filter.ts';

const SIZES = SCREEN_LIMITS.pageSizes.map((n) => ({ value: String(n), label: String(n) }));

/** Rows per page, visible range, and pagination. */
export function ParticipantsFoot({
  filter,
  total,
  onChange,
}: {
  filter: ParticipantsFilter;
  total: number;
  onChange(next: ParticipantsFilter): void;
}) {
  const pages = Math.max(1, Math.ceil(total / filter.rows));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line px-5 py-3 tabular-nums">
      <div className="flex items-center gap-2 text-sm text-ink-2">
        <span id="rows-per-page">Rows per page</span>
        <SelectControl
          aria-labelledby="rows-per-page"
          size="dense"
          className="w-18!"
          options={SIZES}
          value={String(filter.rows)}
          onChange={(value) => onChange({ ...filter, rows: Number(value), page: 1 })}
        />
      </div>
      <p role="status" className="text-sm text-ink-2">
        {entriesSentence(filter.page, filter.rows, total)}
      </p>
      <Pagination
        page={Math.min(filter.page, pages)}
        pages={pages}
        onPage={(page) => onChange({ ...filter, page })}
      />
    </div>
  );
}
