import { type ReactNode, useState } from 'react';
import { Checkbox } from '../../ui/fields/checkbox.tsx';

export function useSelection<T>(initial: () => ReadonlySet<T> = () => new Set<T>()) {
  const [selected, setSelected] = useState(initial);
  const select = (rows: readonly T[], isSelected: boolean) =>
    setSelected((before) => {
      const next = new Set(before);
      for (const row of rows) {
        if (isSelected) next.add(row);
        else next.delete(row);
      }
      return next;
    });
  return { selected, select, clear: () => setSelected(new Set()) };
}

/** Above a list of questions: selects all of it, tells how many are, and what can be done with them. */
export function SelectionBar<T>({
  label,
  ids,
  selected,
  onSelect,
  more,
  children,
}: {
  label: string;
  ids: readonly T[];
  selected: ReadonlySet<T>;
  onSelect(ids: readonly T[], isSelected: boolean): void;
  more?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 md:px-5">
      <Checkbox
        label={label}
        disabled={ids.length === 0}
        checked={ids.length > 0 && ids.every((id) => selected.has(id))}
        onChange={(event) => onSelect(ids, event.target.checked)}
      />
      {more}
      <span role="status" className="text-sm text-ink-2 tabular-nums">
        {`${selected.size.toLocaleString('en-GB')} selected`}
      </span>
      {children}
    </div>
  );
}
