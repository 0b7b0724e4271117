import { Readable } from 'node:stream';
import {
  TABLE_MEDIA_TYPES,
  type TableFormat,
} from '@invigil/core/contract/definition/table-format';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { type SheetCell, writeXlsx } from '../formats/sheets/write-xlsx.ts';
import { inTurns } from '../runtime/turns.ts';
import { wallTime } from '../runtime/wall-time.ts';
import { csvStream } from './csv-stream.ts';

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
    for await (const rows of slices) yield rows.map((row) => row.map(csvCell));
  }
  return csvStream(
    head.map((h) => guardCell(typeof h === 'string' ? h : h.at)),
    texts(),
  );
}

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

/** Headers of a download. `name` has no ending yet. */
export function downloadHeaders(name: string, format: TableFormat): Record<string, string> {
  return {
    'content-type': TABLE_MEDIA_TYPES[format],
    'content-disposition': `attachment; filename="${name}.${format}"`,
  };
}
