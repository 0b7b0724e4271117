import type { PersonField } from '@invigil/core/domain/people';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { CorrectionField } from './correction-field.tsx';
import {
  type CellProblem,
  columnOptions,
  type PeopleSheet,
  withCell,
  withoutRow,
} from './people-sheet.ts';

/** More of them are no list of people. */
const SHOWN = 50;

/** The uses of the columns of a list, to be confirmed or changed, and its cells to correct. */
export function SheetReview({
  sheet,
  fields,
  problems,
  onSheet,
  children,
}: {
  sheet: PeopleSheet;
  fields: readonly PersonField[];
  problems: readonly CellProblem[];
  onSheet(sheet: PeopleSheet): void;
  /** Further actions on the list. */
  children?: ReactNode;
}) {
  const { rows, columns, hasHead } = sheet;
  const [example = []] = rows.slice(hasHead ? 1 : 0);
  const options = columnOptions(fields);
  const labelOf = (at: number) => options.find(({ value }) => value === columns[at])?.label ?? '';
  const known = columns.flatMap((column, i) =>
    column === 'ignored' || column === 'email' ? [] : `${labelOf(i)}: column ${i + 1}`,
  );
  const emailAt = columns.indexOf('email');
  return (
    <section
      aria-label="Columns of the list"
      className="grid gap-3 rounded-lg bg-sunken px-4 py-3.5"
    >
      <p>{known.length === 0 ? 'Only the addresses are used.' : `${known.join(', ')}. Right?`}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {columns.map((column, i) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its place
            key={i}
            className="min-w-0 wrap-anywhere"
            label={`Column ${i + 1}${example[i] ? `: ${example[i].slice(0, 40)}` : ''}`}
            value={column}
            options={options}
            onChange={(value) =>
              onSheet({
                ...sheet,
                // One column each, but groups.
                columns: columns.map((other, at) =>
                  at === i ? value : other === value && value !== 'groups' ? 'ignored' : other,
                ),
              })
            }
          />
        ))}
      </div>
      {problems.length > 0 && (
        <ul aria-label="To correct" className="grid gap-3">
          {problems.slice(0, SHOWN).map((problem) => {
            const { row, column, cell, message } = problem;
            const who = rows[row]?.[emailAt] || `row ${row + 1}`;
            return column < 0 ? (
              <li key={`${row} ${message}`} className="flex flex-wrap items-center gap-3">
                <span className="text-bad-ink">{`${who}: ${message}.`}</span>
                <LeaveOut row={row} onLeaveOut={() => onSheet(withoutRow(sheet, row))} />
              </li>
            ) : (
              <CorrectionField
                key={`${row} ${column} ${cell}`}
                entry={cell}
                label={`${labelOf(column)}, ${who}`}
                reason={message}
                onCorrect={(text) => onSheet(withCell(sheet, problem, text))}
              >
                <LeaveOut row={row} onLeaveOut={() => onSheet(withoutRow(sheet, row))} />
              </CorrectionField>
            );
          })}
          {problems.length > SHOWN && (
            <li className="text-sm text-ink-2">
              {`and ${(problems.length - SHOWN).toLocaleString('en-GB')} more`}
            </li>
          )}
        </ul>
      )}
      {children}
    </section>
  );
}

function LeaveOut({ row, onLeaveOut }: { row: number; onLeaveOut(): void }) {
  return <Button onClick={onLeaveOut}>{`Leave out row ${row + 1}`}</Button>;
}
