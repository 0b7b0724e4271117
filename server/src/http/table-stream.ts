import { Readable } from 'node:stream';
import {
  TABLE_MEDIA_TYPES,
  type TableFormat,
} from '@invigil/core/contract/definition/table-format';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { stringify } from 'csv-stringify/sync';
import { type SheetCell, writeXlsx } from '../formats/sheets/write-xlsx.ts';
import { Reply } from '../runtime/reply.ts';
import { inTurns } from '../runtime/turns.ts';
import { fileTime, wallTime } from '../runtime/wall-time.ts';

export type TableRow = SheetCell[];

export interface Table {
  name: string;
  /** `at`: a column of moments. */
  head: (string | { at: string })[];
  /** The rows after the head, in portions. */
  portions: AsyncIterable<TableRow[]>;
  /** How many there are, where that is known. */
  rows?: number;
}

/** The format of a file, and the time zone of its dates. */
export interface TableFile {
  format: TableFormat;
  timeZone: string;
}

/**
 * A table as a file, in constant memory. In CSV moments are ISO texts (UTC), and texts that a spreadsheet
 * would execute get an apostrophe; numbers are exempt. In a workbook numbers and dates are what they are,
 * in any country's spreadsheet, texts cannot be formulas, and the head names the time zone.
 */
export function tableStream({ name, head, portions }: Table, file: TableFile): Readable {
  const slices = inSlices(portions);
  if (file.format === 'xlsx') {
    const heads = head.map((h) => (typeof h === 'string' ? h : `${h.at} (${file.timeZone})`));
    const clock = (moment: Date) => wallTime(moment, file.timeZone);
    const pieces = writeXlsx({ name, head: heads, portions: slices }, clock);
    return Readable.from(pieces, { objectMode: false });
  }
  async function* texts() {
    yield BYTE_ORDER_MARK + toCsv([head.map((h) => (typeof h === 'string' ? h : h.at))]);
    for await (const rows of slices) yield toCsv(rows);
  }
  return Readable.from(texts(), { objectMode: false });
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

/** A table as a download, whose name says when it was made. */
export function tableReply(name: string, table: Table, file: TableFile & { now: Date }) {
  const body = tableStream(table, file);
  const fileName = `${name}_${fileTime(file.now, file.timeZone)}`;
  return new Reply(200, body, downloadHeaders(fileName, file.format, table.rows));
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
