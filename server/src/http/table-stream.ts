import { Readable } from 'node:stream';
import {
  TABLE_MEDIA_TYPES,
  type TableFormat,
} from '@invigil/core/contract/definition/table-format';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { type SheetCell, writeXlsx } from '../formats/sheets/write-xlsx.ts';
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
  if (file.format === 'xlsx') {
    const heads = head.map((h) => (typeof h === 'string' ? h : `${h.at} (${file.timeZone})`));
    const clock = (moment: Date) => wallTime(moment, file.timeZone);
    const pieces = writeXlsx({ name, head: heads, portions }, clock);
    return Readable.from(pieces, { objectMode: false });
  }
  async function* texts() {
    for await (const rows of portions) yield rows.map((row) => row.map(csvCell));
  }
  return csvStream(
    head.map((h) => guardCell(typeof h === 'string' ? h : h.at)),
    texts(),
  );
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
