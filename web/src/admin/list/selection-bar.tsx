import { t } from '@invigil/core/texts/i18n';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { showFailure } from '../data/show-failure.ts';

/**
 * Selected rows.
 *
 * @param list what is listed: of another list none are selected, so that an action changes only what is shown
 */
export function useSelection<T>({
  list = '',
  initial = () => new Set(),
}: {
  list?: string;
  initial?: () => ReadonlySet<T>;
} = {}) {
  const [state, setState] = useState(() => ({ list, rows: initial() }));
  const select = (rows: readonly T[], isSelected: boolean) =>
    setState((before) => {
      const next = new Set(before.list === list ? before.rows : []);
      for (const row of rows) {
        if (isSelected) next.add(row);
        else next.delete(row);
      }
      return { list, rows: next };
    });
  const selected: ReadonlySet<T> = state.list === list ? state.rows : new Set<T>();
  return { selected, select, clear: () => setState({ list, rows: new Set() }) };
}

/** Finds all that a filter matches, by their ids, also those of other pages, and uses them: selects, mostly. */
export function useAllThatMatch<T>(
  failure: string,
  find: () => Promise<T[]>,
  use: (rows: T[], isSelected: true) => void,
) {
  const { isPending, mutate } = useMutation({
    mutationFn: find,
    onSuccess: (rows) => use(rows, true),
    onError: (error) => showFailure(failure, error),
  });
  return { isBusy: isPending, onSelect: () => mutate() };
}

/** The bar above a list: selects all rows, says how many are selected, and offers actions for them. */
export function SelectionBar<T>({
  label,
  ids,
  selected,
  all,
  isZeroShown = true,
  onSelect,
  onClear,
  children,
}: {
  label: string;
  ids: readonly T[];
  selected: ReadonlySet<T>;
  /** Also those of other pages, at most `most`. */
  all?: { total: number; most: number; isBusy: boolean; onSelect(): void } | undefined;
  isZeroShown?: boolean;
  onSelect(ids: readonly T[], isSelected: boolean): void;
  onClear?: () => void;
  /** Actions for the selected rows; shown once there are any. */
  children?: ReactNode;
}) {
  const n = selected.size;
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 md:px-5">
      <Checkbox
        label={label}
        disabled={ids.length === 0}
        checked={isAll}
        onChange={(event) => onSelect(ids, event.target.checked)}
      />
      {all !== undefined && isAll && n < Math.min(all.total, all.most) && (
        <Button
          variant="ghost"
          size="dense"
          busy={
            all.isBusy &&
            t(/* on a button: it selects rows of a list */ 'list.selecting', 'Selecting…')
          }
          onClick={all.onSelect}
        >
          {all.most < all.total
            ? t(
                /* a button: rows of a list */ 'list.selectFirst',
                '{count, plural, one {Select the first # that match} other {Select the first # that match}}',
                { count: all.most },
              )
            : t(
                /* a button: rows of a list */ 'list.selectAll',
                '{count, plural, one {Select all # that match} other {Select all # that match}}',
                { count: all.total },
              )}
        </Button>
      )}
      <span role="status" className="text-sm text-ink-2 tabular-nums">
        {(n > 0 || isZeroShown) &&
          t(
            /* rows of a list */ 'list.selected',
            '{count, plural, one {# selected} other {# selected}}',
            { count: n },
          )}
      </span>
      {n > 0 && onClear && (
        <>
          <Button variant="ghost" size="dense" onClick={onClear}>
            {t(/* a button: of rows of a list */ 'list.clearSelection', 'Clear selection')}
          </Button>
          <span className="flex flex-wrap gap-2 md:ms-auto">{children}</span>
        </>
      )}
      {onClear === undefined && children}
    </div>
  );
}
