import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { IMPORT_STATUSES, type ImportStatus, STATUS_WORDS } from './review-items.ts';

const ALL = 'all';

/** How many items have each status; each filters the list. */
export function ImportStatuses({
  counts,
  all,
  status,
  onStatus,
}: {
  counts: Record<ImportStatus, number>;
  all: number;
  status: ImportStatus | null;
  onStatus(status: ImportStatus | null): void;
}) {
  const entries = [
    { value: ALL, word: 'All', n: all },
    ...IMPORT_STATUSES.map((value) => ({ value, word: STATUS_WORDS[value], n: counts[value] })),
  ];
  const set = (value: string) => onStatus(IMPORT_STATUSES.find((each) => each === value) ?? null);
  return (
    <>
      <SelectControl
        aria-label="Show"
        className="sm:hidden!"
        options={entries.map(({ value, word, n }) => ({
          value,
          label: `${word}: ${n.toLocaleString('en-GB')}`,
        }))}
        value={status ?? ALL}
        onChange={set}
      />
      <fieldset className="flex flex-wrap gap-1.5 max-sm:hidden">
        <legend className="sr-only">Show</legend>
        {entries.map(({ value, word, n }) => (
          <button
            key={value}
            type="button"
            aria-pressed={(status ?? ALL) === value}
            onClick={() => set(value)}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line-2 bg-surface px-2.5 text-sm text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:min-h-11"
          >
            <span>{word}</span>
            <span className="font-medium tabular-nums">{n.toLocaleString('en-GB')}</span>
          </button>
        ))}
      </fieldset>
    </>
  );
}
