import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { figureText, listText } from '@invigil/core/domain/locale';
import {
  type ColumnUse,
  columnName,
  IMPORT_LIMITS,
} from '@invigil/core/domain/questions/question-files';
import { foldCase } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { cut, type ImportedItem, type ReadSummary, UnreadableFile } from '../imported-file.ts';
import { NO_TEXT } from '../text/imported-item.ts';
import {
  columnsByPlace,
  findHead,
  isOwnForm,
  type SheetHead,
  withChosen,
} from './sheet-columns.ts';
import { isPlaceKey } from './sheet-key.ts';
import { cellText, questionOf, type RowParts, type SheetRow } from './sheet-question.ts';

export interface SheetRead extends Pick<ReadSummary, 'problems'> {
  items: ImportedItem[];
  notes: string[];
  columns: NonNullable<ReadSummary['columns']>;
}

/** Rows that are read: the header, and as many questions as an import may have. */
export const MOST_ROWS = IMPORT_LIMITS.itemsMax + 1;

/**
 * The questions of a sheet: by its header, or by a person's choice, otherwise by the place of the columns
 * (product 8). Throws UnreadableFile.
 */
export function readSheet(
  file: string,
  rows: readonly SheetRow[],
  chosen?: readonly ColumnUse[],
): SheetRead {
  if (rows.length > MOST_ROWS) {
    throw new UnreadableFile(
      t(
        'import.sheet.tooManyRows',
        '{max, plural, one {The file has more than # row. Split it into smaller files.} other {The file has more than # rows. Split it into smaller files.}}',
        { max: IMPORT_LIMITS.itemsMax },
      ),
    );
  }
  const filled = rows.filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  const known = findHead(filled);
  const head = chosen ? withChosen(known, chosen) : known;
  const below = known ? filled.slice(known.index + 1) : filled;
  const first = known ? undefined : below[0];
  const readFirst = first && readRows(file, [first], head)[0];
  // A header of unknown words has no key.
  const isFirstQuestion =
    readFirst?.definition?.options?.some(({ isCorrect }) => isCorrect) ?? false;
  const data = known || isFirstQuestion ? below : below.slice(1);
  const items = readRows(file, data, head);
  const isEmpty = data.every(({ fields }) => fields.length < QUESTION_LIMITS.csvMinFields);
  if (isEmpty && items.every(({ definition }) => definition === null)) {
    throw new UnreadableFile(
      items[0]?.notes[0] ??
        t(
          'import.sheet.none',
          'The file has no rows with a question, its options and the correct answer.',
        ),
    );
  }
  const columns = columnsOf(head, known || isFirstQuestion ? undefined : first, data);
  return {
    items,
    columns,
    problems: isFirstQuestion
      ? [
          t(
            'import.sheet.noHeader',
            'The first row is a question, so the file was read without a header.',
          ),
        ]
      : [],
    notes: [...rowsAbove(filled.slice(0, known?.index ?? 0)), ...unused(columns)],
  };
}

/** How many rows are questions: the separator with the most is the one of the file. */
export function countQuestions(rows: readonly SheetRow[]): number {
  try {
    return readSheet('', rows).items.filter(({ definition }) => definition !== null).length;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return 0;
  }
}

/** Sentences about the rows above the header. */
function rowsAbove(rows: readonly SheetRow[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const text = cut(first.fields.filter((field) => field.trim() !== '').join(' '), 80);
  return [
    rows.length === 1
      ? t(
          /* {line} is the number of a row, {text} its content */ 'import.sheet.rowAbove',
          'Row {line}, above the header, was skipped: “{text}”.',
          { line: first.line, text },
        )
      : t(
          /* {line} is the number of the first of these rows, {text} its content; {figure} is the same number as {count} */ 'import.sheet.rowsAbove',
          '{count, plural, one {{figure} rows above the header were skipped, from row {line}, “{text}”, on.} other {{figure} rows above the header were skipped, from row {line}, “{text}”, on.}}',
          { count: rows.length, figure: figureText(rows.length), line: first.line, text },
        ),
  ];
}

function unused(columns: SheetRead['columns']): string[] {
  const names = columns.flatMap(({ head, use, example }, i) =>
    use === 'unused' && (head !== '' || example !== '')
      ? [head === '' ? columnName(i) : `“${cut(head, 40)}”`]
      : [],
  );
  if (names.length === 0) return [];
  return [
    t(
      /* {columns} is a list of names */ 'import.sheet.unused',
      '{count, plural, one {The column {columns} is not used.} other {These columns are not used: {columns}.}}',
      { count: names.length, columns: listText(names, 'unit') },
    ),
  ];
}

/** Rows that show what a column has. */
const EXAMPLES = 3;

function columnsOf(
  head: SheetHead | null,
  headRow: SheetRow | undefined,
  data: readonly SheetRow[],
): SheetRead['columns'] {
  const width = Math.min(
    IMPORT_LIMITS.columnsMax,
    data.reduce((most, { fields }) => Math.max(most, fields.length), head?.heads.length ?? 0),
  );
  const uses = head?.uses ?? columnsByPlace(width);
  const heads = headRow?.fields ?? head?.heads ?? [];
  return Array.from({ length: width }, (_, i) => ({
    head: heads[i]?.trim() ?? '',
    use: uses[i] ?? 'unused',
    example: data.find(({ fields }) => (fields[i] ?? '').trim() !== '')?.fields[i]?.trim() ?? '',
    cells: data.slice(0, EXAMPLES).map(({ fields }) => cut((fields[i] ?? '').trim(), 200)),
  }));
}

function readRows(file: string, rows: readonly SheetRow[], head: SheetHead | null): ImportedItem[] {
  const parts = rows.map((row) => partsOf(row, head));
  const keys =
    head?.isPlace === true ? 'places' : areKeysPlaces(parts) ? 'guessed places' : 'texts';
  return parts.map((row) => questionOf(file, row, { keys, several: head !== null }));
}

/** Numbers that are all options are options; those that can all be places are places. */
function areKeysPlaces(rows: readonly RowParts[]): boolean {
  const keyed = rows.filter(({ key }) => key.text !== '');
  const hasText = ({ key, options }: RowParts) =>
    options.some(({ text }) => foldCase(text.text) === foldCase(key.text));
  return (
    keyed.every(({ key, options }) => isPlaceKey(key.text, options.length)) && !keyed.every(hasText)
  );
}

/** The parts of a row by its columns. */
function partsOf(row: SheetRow, head: SheetHead | null): RowParts {
  const { fields } = row;
  // A workbook has a column for each cell: a row ends early because its last cells are blank.
  const isText = row.numbers === undefined;
  // A short row of our own form ends with its key, whatever the header has above it.
  const byPlace = head === null || (isText && isOwnForm(head) && fields.length < head.uses.length);
  const uses = byPlace ? columnsByPlace(fields.length) : head.uses;
  const columns = (use: ColumnUse) => uses.flatMap((one, i) => (one === use ? [i] : []));
  const only = (use: ColumnUse): ConvertedText => cellText(row, columns(use)[0]);
  const options = columns('option').map((i) => ({
    text: cellText(row, i),
    label: head?.labels[i] ?? '',
  }));
  const isNothing = ({ text, notes }: ConvertedText) => text === '' && notes.length === 0;
  while (options.length > 0 && isNothing(options.at(-1)?.text ?? NO_TEXT)) options.pop();
  return {
    line: row.line,
    question: only('question'),
    options,
    key: only('answer'),
    keyNumber: row.numbers?.get(columns('answer')[0] ?? -1),
    hasKey: byPlace || uses.includes('answer'),
    isLimited: head === null,
    points: only('points'),
    explanation: only('explanation'),
    tags: only('tags').text,
    category: only('category').text,
    type: only('type').text,
    number: only('number').text,
  };
}
