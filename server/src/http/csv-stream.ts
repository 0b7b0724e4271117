import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

export type CsvRow = (string | number)[];

/** Spreadsheets recognize UTF-8 only by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A spreadsheet file as a stream: constant memory for any number of rows.
 *
 * @param portions the rows after the head, in portions
 */
export function csvStream(head: CsvRow, portions: AsyncIterable<CsvRow[]>): Readable {
  async function* texts() {
    yield BYTE_ORDER_MARK + toCsv([head]);
    for await (const rows of portions) yield toCsv(rows);
  }
  return Readable.from(texts(), { objectMode: false });
}

function toCsv(rows: CsvRow[]): string {
  // The writer quotes only its own kind of line break, while a spreadsheet ends a row at any.
  return stringify(rows, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
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
