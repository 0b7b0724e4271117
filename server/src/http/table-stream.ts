import { Readable } from 'node:stream';
import {
  TABLE_MEDIA_TYPES,
  type TableFormat,
} from '@invigil/core/contract/definition/table-format';
import { wallTime } from '@invigil/core/domain/local-time';
import { currentLanguage } from '@invigil/core/domain/locale';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { t } from '@invigil/core/texts/i18n';
import { stringify } from 'csv-stringify/sync';
import { type SheetCell, writeXlsx } from '../formats/sheets/write-xlsx.ts';
import { inLanguage, inLanguageOf } from '../runtime/language.ts';
import { Reply } from '../runtime/reply.ts';
import { inTurns } from '../runtime/turns.ts';
import { fileTime } from '../runtime/wall-time.ts';

export type TableRow = SheetCell[];

export interface Table {
  name: string;
  /** `at`: a column of moments. */
  head: (string | { at: string })[];
  /** The rows after the head, in portions. */
  portions: AsyncIterable<TableRow[]>;
}

/** The format of a file, and the time zone of its dates. */
export interface TableFile {
  format: TableFormat;
  timeZone: string;
}

/** The language of a file: programs read CSV, in English whoever asks. */
const languageOf = ({ format }: TableFile) => (format === 'csv' ? 'en' : currentLanguage());

/**
 * A table as a file, in constant memory. In CSV moments are ISO texts (UTC), and texts that a spreadsheet
 * would execute get an apostrophe; numbers are exempt. In a workbook numbers and dates are what they are,
 * in any country's spreadsheet, texts cannot be formulas, and the head names the time zone.
 *
 * @param make is called, and its rows are made, in the language of the file
 */
export function tableStream(make: () => Table, file: TableFile): Readable {
  const language = languageOf(file);
  return inLanguage(language, () => {
    const pieces: AsyncGenerator<string | Uint8Array> =
      file.format === 'xlsx' ? workbookOf(make(), file) : csvOf(make());
    return Readable.from(inLanguageOf(language, pieces), { objectMode: false });
  });
}

function workbookOf({ name, head, portions }: Table, { timeZone }: TableFile) {
  const heads = head.map((h) =>
    typeof h === 'string'
      ? h
      : t(/* head of a column of dates and times */ 'table.inTimeZone', '{head} ({timeZone})', {
          head: h.at,
          timeZone,
        }),
  );
  const clock = (moment: Date) => wallTime(moment, timeZone);
  return writeXlsx({ name, head: heads, portions: inSlices(portions) }, clock);
}

async function* csvOf({ head, portions }: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([head.map((h) => (typeof h === 'string' ? h : h.at))]);
  for await (const rows of inSlices(portions)) yield toCsv(rows);
}

/** Spreadsheets recognize UTF-8 only by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The writer quotes only its own kind of line break, while a spreadsheet ends a row at any. */
const CSV = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;

const toCsv = (rows: TableRow[]) =>
  stringify(
    rows.map((row) => row.map(csvCell)),
    CSV,
  );

/** Rows that are written in one piece: a few milliseconds with a hundred columns. */
const ROWS_AT_ONCE = 20;

/** The rows in smaller portions, between which other requests have their turn: candidates are saving. */
async function* inSlices(portions: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  for await (const rows of portions) yield* inTurns(slicesOf(rows));
}

function* slicesOf(rows: TableRow[]): Generator<TableRow[]> {
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) yield rows.slice(i, i + ROWS_AT_ONCE);
}

function csvCell(cell: SheetCell): string | number {
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'string' ? guardCell(cell) : cell;
}

/**
 * A table as a download, whose name says when it was made.
 *
 * @param rows how many come, where that is known
 */
export function tableReply(
  name: string,
  make: () => Table,
  { rows, ...file }: TableFile & { now: Date; rows?: number },
) {
  const body = tableStream(make, file);
  const fileName = `${name}_${fileTime(file.now, file.timeZone)}`;
  return new Reply(200, body, downloadHeaders(fileName, file.format, rows));
}

/** Headers of a download. `name` has no ending yet; how many rows come lets the page say how far it is. */
export function downloadHeaders(
  name: string,
  format: TableFormat,
  rows?: number,
): Record<string, string> {
  return {
    ...(rows === undefined ? {} : { 'x-total-count': String(rows) }),
    'content-type': TABLE_MEDIA_TYPES[format],
    'content-disposition': `attachment; filename="${name}.${format}"`,
  };
}

/**
 * Reads all rows in portions, each after the last row of the previous one.
 *
 * @param next the rows after a row, at most `most`; after `undefined` the first ones
 */
export async function* inPortions<Row>(
  most: number,
  next: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await next(after);
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < most) return;
  }
}
