import { type CsvSeparator, separatorsByFirstLine } from '@invigil/core/domain/csv-separator';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, type CsvRow, judgeQuestionRows } from '@invigil/core/domain/question-csv';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AppError } from '../../../runtime/app-error.ts';

/** What the reader gives with `info`. */
const Records = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }),
);

/**
 * Rows of nothing but blanks do not count as rows, but reading them takes time in which nobody's
 * answers are saved: some 30 µs each, and a mebibyte holds half a million.
 */
const MOST_RECORDS = 10 * QUESTION_LIMITS.csvMaxRows;

const NOT_TEXT = 'This file is not text. Save it as CSV in your spreadsheet and try again';

interface Reading {
  rows: CsvRow[];
  /** Why it cannot be read with this separator. */
  problem: string | null;
}

/**
 * Reads a question file: UTF-8 or UTF-16, windows-1252 when it is neither; comma, semicolon or tab,
 * whichever gives more questions; any kind of line break, which is `\n` inside a field afterwards.
 * Throws TOO_LARGE above 1 MiB of text, and INVALID_INPUT with the line where the quoting breaks.
 */
export function parseCsvFile(file: Uint8Array): CsvRow[] {
  const text = decode(file);
  if (text.includes('\0')) throw new AppError('INVALID_INPUT', { message: NOT_TEXT });
  if (Buffer.byteLength(text) > QUESTION_LIMITS.csvMaxBytes) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooLarge });
  }
  // One kind of line break: the reader counts a CRLF inside quotes as two lines.
  const lines = text.replace(/\r\n?/g, '\n');
  const readings = separatorsByFirstLine(lines).map((separator) => readRows(lines, separator));
  const best = readings.reduce((a, b) => (isBetter(b, a) ? b : a));
  // Where no separator makes rows, a quote that is never closed is why.
  const problem = wideRows(best) === 0 ? readings.find((r) => r.problem !== null)?.problem : null;
  if (problem) throw new AppError('INVALID_INPUT', { message: problem });
  if (best.rows.length > MOST_RECORDS) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooManyRows });
  }
  return best.rows;
}

function decode(file: Uint8Array): string {
  const [first, second] = file;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(file);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(file);
  // Without a mark: a header in Latin letters has a zero in every second byte.
  if (first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(file);
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

function readRows(text: string, separator: CsvSeparator): Reading {
  try {
    const records = Records.parse(
      parse(text, {
        delimiter: separator,
        record_delimiter: '\n',
        info: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        to: MOST_RECORDS + 1,
      }),
    );
    // The reader tells the line on which a record ends; ours is the one on which it starts.
    const rows = records.map(({ record, info }) => ({
      line: info.lines - record.reduce((n, field) => n + field.split('\n').length - 1, 0),
      fields: record,
    }));
    return { rows, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], problem: `The file cannot be read: ${error.message}` };
  }
}

/** More good questions, then more rows with enough fields; a tie stays with the likelier separator. */
function isBetter(a: Reading, b: Reading): boolean {
  const good = goodRows(a) - goodRows(b);
  return good !== 0 ? good > 0 : wideRows(a) > wideRows(b);
}

const goodRows = (reading: Reading) =>
  judgeQuestionRows(reading.rows, true).rows.filter((row) => row.question !== null).length;

const wideRows = (reading: Reading) =>
  reading.rows.filter((row) => row.fields.length >= QUESTION_LIMITS.csvMinFields).length;
