import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

export type CsvRow = (string | number)[];

/** Spreadsheets take a file for UTF-8 only by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A file for spreadsheets as a stream: constant memory, however many rows.
 *
 * @param portions the rows after the head, some at a time
 */
export function csvStream(head: CsvRow, portions: AsyncIterable<CsvRow[]>): Readable {
  async function* texts() {
    yield BYTE_ORDER_MARK + toCsv([head]);
    for await (const rows of portions) yield toCsv(rows);
  }
  return Readable.from(texts(), { objectMode: false });
}

function toCsv(rows: CsvRow[]): string {
  // By itself the writer quotes only its own kind of line break, and a spreadsheet ends a row at any.
  return stringify(rows, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/**
 * Reads all rows some at a time, each portion after the last row of the one before.
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
