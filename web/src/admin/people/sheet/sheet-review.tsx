import { listText } from '@invigil/core/domain/locale';
import { nameOf, type PersonField, readPeople } from '@invigil/core/domain/people';
import { columnName } from '@invigil/core/domain/questions/question-files';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { momentText } from '@invigil/core/texts/moments';
import { X } from 'lucide-react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { CONTROL, CONTROL_SIZE } from '../../../ui/fields/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { ColumnTable, type ListRow } from '../../parts/column-table.tsx';
import {
  type CellProblem,
  columnOptions,
  type PeopleSheet,
  withCell,
  withoutRows,
} from './people-sheet.ts';

/** Rows at the top that show what each column has. */
const EXAMPLES = 3;
/** Rows in which further examples are looked for: of columns that are blank above, and of names. */
const LOOKED_AT = 1_000;
/** More of them are no list of people. */
const SHOWN = 50;
/** Problems that are named above the table. */
const NAMED = 5;

/** The uses of the columns of a list, to be confirmed or changed, and its cells to correct. */
export function SheetReview({
  sheet,
  fields,
  timeZone,
  problems,
  onSheet,
  children,
}: {
  sheet: PeopleSheet;
  fields: readonly PersonField[];
  /** The zone of the times in it. */
  timeZone?: string | undefined;
  problems: readonly CellProblem[];
  onSheet(sheet: PeopleSheet): void;
  /** Further actions on the list. */
  children?: ReactNode;
}) {
  const { rows, numbers, columns, hasHead } = sheet;
  const numberOf = (row: number) => numbers[row] ?? 0;
  const id = useId();
  const idOf = ({ row, column }: Cell) => `${id} ${row} ${column}`;
  const options = columnOptions(fields, sheet);
  const labelOf = (at: number) => options.find(({ value }) => value === columns[at])?.label ?? '';
  const emailAt = columns.indexOf('email');
  // A corrected cell stays a field, under the hands of whoever corrects it, until a row leaves the list.
  const [corrected, setCorrected] = useState<{ of: number; cells: readonly Cell[] }>();
  const kept = corrected?.of === rows.length ? corrected.cells : [];
  const cellsToCorrect: readonly Cell[] = [...problems, ...kept];
  const toCorrect = [...new Set(cellsToCorrect.map(({ row }) => row))].sort((a, b) => a - b);
  const examples = examplesOf(sheet);
  const shown = [...new Set([...examples, ...toCorrect.slice(0, SHOWN)])].sort((a, b) => a - b);
  const rowOf = (row: number): ListRow => {
    const cells = rows[row] ?? [];
    const own = problems.filter((problem) => problem.row === row);
    const isToCorrect = toCorrect.includes(row);
    return {
      id: String(row),
      number: String(numberOf(row)),
      cells: columns.map((_, column) => {
        const problem = own.find((one) => one.column === column);
        const cell = cells[column] ?? '';
        const isField = cellsToCorrect.some((one) => one.row === row && one.column === column);
        if (!isField) return cell;
        const person = column === emailAt ? '' : (cells[emailAt] ?? '');
        return (
          <CellField
            key={columnName(column)}
            id={idOf({ row, column })}
            label={
              person === ''
                ? t('people.sheet.cell', '{column}, row {row}', {
                    column: labelOf(column),
                    row: numberOf(row),
                  })
                : t('people.sheet.cellOf', '{column}, {person}', {
                    column: labelOf(column),
                    person,
                  })
            }
            cell={cell}
            reason={problem?.message ?? null}
            onCorrect={(text) => {
              setCorrected({ of: rows.length, cells: cellsToCorrect });
              onSheet(withCell(sheet, { row, column }, text));
            }}
          />
        );
      }),
      action: isToCorrect ? (
        <IconButton
          label={t(/* of a list */ 'people.sheet.leaveOut', 'Leave out row {row}', {
            row: numberOf(row),
          })}
          side="end"
          onClick={() => onSheet(withoutRows(sheet, new Set([row])))}
        >
          <X />
        </IconButton>
      ) : undefined,
    };
  };
  return (
    <section
      aria-label={t('people.sheet.title', 'Columns of the list')}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg bg-sunken px-4 py-3.5"
    >
      <p className="text-ink-2">
        {t('people.sheet.check', 'Check what each column is taken for.')}
      </p>
      {problems.length > 0 && (
        <p className="text-bad-ink">
          <ToCorrect
            more={problems.length - NAMED}
            problems={problems.slice(0, NAMED).map((problem, i) => (
              <Fragment key={idOf(problem)}>
                {i > 0 && ', '}
                {problem.column < 0 ? (
                  t('people.sheet.problemInRow', 'row {row} ({problem})', {
                    row: numberOf(problem.row),
                    problem: problem.message,
                  })
                ) : (
                  <button
                    type="button"
                    className="font-medium underline underline-offset-4"
                    onClick={() => document.getElementById(idOf(problem))?.focus()}
                  >
                    {t('people.sheet.columnInRow', '{column} in row {row}', {
                      column: labelOf(problem.column),
                      row: numberOf(problem.row),
                    })}
                  </button>
                )}
              </Fragment>
            ))}
          />
        </p>
      )}
      <ColumnTable
        label={t('people.sheet.columns', 'Columns')}
        columns={columns.map((use, i) => ({
          name: columnName(i),
          head: hasHead ? (rows[0]?.[i] ?? '').trim() : '',
          use,
        }))}
        rows={shown.map(rowOf)}
        options={options}
        unused="ignored"
        onUse={(at, use) =>
          onSheet({
            ...sheet,
            // One column each, but groups.
            columns: columns.map((other, i) =>
              i === at ? use : other === use && use !== 'groups' ? 'ignored' : other,
            ),
          })
        }
      />
      <ul className="grid gap-1 text-sm text-ink-2">
        {[...notesOf(sheet, fields, toCorrect.length - SHOWN), ...timeExample(sheet, timeZone)].map(
          (text) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ),
        )}
      </ul>
      {children}
    </section>
  );
}

/** Says what is left out, how names are read, and how many more rows are to correct. */
function notesOf(sheet: PeopleSheet, fields: readonly PersonField[], more: number): string[] {
  const { rows, columns, hasHead } = sheet;
  const unused = columns.flatMap((column, i) => {
    const isFilled = rows.some((row) => (row[i] ?? '').trim() !== '');
    const head = hasHead ? (rows[0]?.[i] ?? '').trim() : '';
    return column === 'ignored' && isFilled
      ? [
          head === ''
            ? columnName(i)
            : t(/* a word of a list, quoted */ 'people.sheet.head', '“{head}”', { head }),
        ]
      : [];
  });
  return [
    ...sheet.above.map((text) =>
      t(
        /* {text}: a row of a list; the heads are the names of its columns */ 'people.sheet.above',
        'Left out above the heads: “{text}”.',
        { text: text.slice(0, 80) },
      ),
    ),
    ...sheet.below.map((text) =>
      t(
        /* {text}: a row of a list; the heads are the names of its columns */ 'people.sheet.below',
        'Left out below the heads: “{text}”.',
        { text: text.slice(0, 80) },
      ),
    ),
    ...(unused.length === 0
      ? []
      : [
          t(/* columns of a list */ 'people.sheet.unused', 'Not used: {columns}.', {
            columns: listText(unused, 'unit'),
          }),
        ]),
    ...nameExamples(sheet, fields),
    ...(more > 0
      ? [
          t(
            'people.sheet.moreRows',
            '{count, plural, one {and # more row to correct.} other {and # more rows to correct.}}',
            { count: more },
          ),
        ]
      : []),
  ];
}

/** The first problems, and how many more there are. */
function ToCorrect({ problems, more }: { problems: ReactNode; more: number }) {
  return more > 0 ? (
    <Trans
      id="people.sheet.toCorrectMore"
      comment="problems: places in a list"
      message="{more, plural, one {To correct: {problems}, and # more} other {To correct: {problems}, and # more}}"
      values={{ problems, more }}
    />
  ) : (
    <Trans
      id="people.sheet.toCorrect"
      comment="problems: places in a list"
      message="To correct: {problems}"
      values={{ problems }}
    />
  );
}

type Cell = Pick<CellProblem, 'row' | 'column'>;

/** The first rows, and for each column that is used and blank in them the first row that has it. */
function examplesOf({ rows, columns, hasHead }: PeopleSheet): number[] {
  const first = hasHead ? 1 : 0;
  const examples = rows.slice(first, first + EXAMPLES).map((_, i) => i + first);
  const isFilled = (row: number, column: number) => (rows[row]?.[column] ?? '').trim() !== '';
  for (const [column, use] of columns.entries()) {
    if (use === 'ignored' || examples.some((row) => isFilled(row, column))) continue;
    const found = rows
      .slice(0, LOOKED_AT)
      .findIndex((_, row) => row >= first && isFilled(row, column));
    if (found >= 0) examples.push(found);
  }
  return examples;
}

/** How names of a list are read: one of each order in which they are said. */
function nameExamples(
  { rows, columns, hasHead }: PeopleSheet,
  fields: readonly PersonField[],
): string[] {
  if (!columns.some((use) => /name$/i.test(use))) return [];
  const body = rows.slice(hasHead ? 1 : 0, LOOKED_AT);
  const people = readPeople(body, columns, fields).map(({ person }) => person);
  const byOrder = new Map<string, (typeof people)[number]>();
  for (const person of people) {
    const { givenName, familyName } = person;
    const isWhole = givenName === '' || familyName === '';
    const order = isWhole ? 'one part' : String(nameOf(person).startsWith(givenName));
    if (nameOf(person) !== '' && !byOrder.has(order)) byOrder.set(order, person);
  }
  return [...byOrder.values()].map((person) => {
    const { givenName, familyName } = person;
    const name = isolated(nameOf(person));
    if (familyName === '') {
      return t(
        /* how names of a list are understood */ 'people.sheet.givenNameOnly',
        'Names are read like {name}: given name {givenName}.',
        { name, givenName: isolated(givenName) },
      );
    }
    if (givenName === '') {
      return t(
        /* how names of a list are understood */ 'people.sheet.familyNameOnly',
        'Names are read like {name}: family name {familyName}.',
        { name, familyName: isolated(familyName) },
      );
    }
    return t(
      /* how names of a list are understood */ 'people.sheet.names',
      'Names are read like {name}: given name {givenName}, family name {familyName}.',
      { name, givenName: isolated(givenName), familyName: isolated(familyName) },
    );
  });
}

/** How times of a list are read, with the zone: the first of them. */
function timeExample({ rows, columns }: PeopleSheet, timeZone: string | undefined): string[] {
  if (timeZone === undefined) return [];
  const [first] = readPeople(rows.slice(0, LOOKED_AT), columns, [], timeZone).flatMap(
    ({ person: { opensAt, endDate } }) => opensAt ?? endDate ?? [],
  );
  if (first === undefined) return [];
  return [
    t(
      /* {time} is a date with the time and its zone */ 'people.sheet.times',
      'Times are read like {time}, in the time zone of the institution.',
      { time: momentText(first, timeZone) },
    ),
  ];
}

/** A cell to correct, judged as it is typed. */
function CellField({
  id,
  label,
  cell,
  reason,
  onCorrect,
}: {
  id: string;
  label: string;
  cell: string;
  /** `null`: nothing is wrong with it any more. */
  reason: string | null;
  /** Empty leaves the cell blank, or its row out. */
  onCorrect(text: string): void;
}) {
  const noteId = useId();
  const [typed, setTyped] = useState(cell);
  // The list may be read again, in another encoding.
  const text = typed.trim() === '' || typed.trim() === cell ? typed : cell;
  const clear = () => text.trim() === '' && cell !== '' && onCorrect('');
  return (
    <span className="grid min-w-44 gap-1">
      <input
        id={id}
        type="text"
        aria-label={t(
          /* {entry}: of a list, or its place in it */ 'people.correct',
          'Correct {entry}',
          { entry: label },
        )}
        aria-invalid={reason !== null}
        aria-describedby={reason === null ? undefined : noteId}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        className={`${CONTROL} ${CONTROL_SIZE.admin}`}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          // An empty cell on the way to another text would take its row away.
          if (event.target.value.trim() !== '') onCorrect(event.target.value.trim());
        }}
        onBlur={clear}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Not the form around it.
          event.preventDefault();
          clear();
        }}
      />
      {reason !== null && <span id={noteId} className="text-sm text-bad-ink">{`${reason}.`}</span>}
    </span>
  );
}
