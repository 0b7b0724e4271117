import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { SelectControl, type SelectOption } from '../../ui/fields/select-field.tsx';
import { useScrollEdges } from '../../ui/use-scroll-edges.ts';

/** A column of a list that is imported. */
export interface ListColumn<U extends string> {
  /** `B`, as spreadsheet programs call it. */
  name: string;
  /** Empty: the list has no heads. */
  head: string;
  use: U;
}

/** Rows of the list to look at. */
export interface ListRow {
  id: string;
  /** The number of the row; empty where it is not known. */
  number: string;
  cells: readonly ReactNode[];
  /** Below the number. */
  action?: ReactNode;
}

/** The columns of a list with their heads, first cells, and what each is taken for, which can be changed. */
export function ColumnTable<U extends string>({
  label,
  columns,
  rows,
  options,
  unused,
  disabled = false,
  onUse,
}: {
  label: string;
  columns: readonly ListColumn<U>[];
  rows: readonly ListRow[];
  options: readonly SelectOption<U>[];
  /** The use of a column that is left out. */
  unused: U;
  disabled?: boolean;
  onUse(column: number, use: U): void;
}) {
  const [watch, { left, right, holdsColumn }] = useScrollEdges();
  const isOff = (i: number) => columns[i]?.use === unused;
  return (
    <section
      ref={watch}
      aria-label={label}
      // A table that is wider than its place can be scrolled with the keyboard.
      tabIndex={left || right ? 0 : undefined}
      data-left={left || undefined}
      data-right={right || undefined}
      data-holds={holdsColumn || undefined}
      className="scroll-sides overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full border-collapse text-start">
        <thead>
          <tr>
            <th
              className="w-0 border-b border-line"
              aria-label={t(/* the head of a column of row numbers */ 'parts.columns.row', 'Row')}
            />
            {columns.map(({ name, head, use }, i) => (
              <th
                key={name}
                className="min-w-40 border-b border-line px-2 py-2.5 text-start align-top font-normal"
              >
                <div className="mb-1.5 flex min-w-0 gap-1.5 px-1 text-sm">
                  <span className="text-ink-3">{name}</span>
                  <bdi className="max-w-52 truncate font-semibold" title={head}>
                    {head}
                  </bdi>
                </div>
                <SelectControl
                  aria-label={
                    head === ''
                      ? t(/* {name}: a letter */ 'parts.columns.column', 'Column {name}', { name })
                      : t(
                          /* {name}: a letter */ 'parts.columns.columnWithHead',
                          'Column {name}: {head}',
                          { name, head },
                        )
                  }
                  size="dense"
                  className={isOff(i) ? 'text-ink-3!' : ''}
                  options={options}
                  value={use}
                  disabled={disabled}
                  onChange={(next) => onUse(i, next)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, number, cells, action }) => (
            <tr key={id} className="border-b border-line last:border-b-0">
              <th className="py-2 ps-3 pe-1 align-top text-xs font-normal text-ink-3 tabular-nums">
                <span className="grid justify-items-center gap-1">
                  {number}
                  {action}
                </span>
              </th>
              {columns.map(({ name }, i) => (
                <td
                  key={name}
                  className={`max-w-64 px-3 py-1.5 align-top ${isOff(i) ? 'text-ink-3' : 'text-ink-2'}`}
                >
                  {typeof cells[i] === 'string' ? (
                    <bdi className="block truncate" title={cells[i]}>
                      {cells[i]}
                    </bdi>
                  ) : (
                    cells[i]
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
