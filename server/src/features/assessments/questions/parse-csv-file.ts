import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  type CsvSeparator,
  separatorsByFirstLine,
} from '@invigil/core/domain/questions/csv-separator';
import {
  CSV_MESSAGES,
  type CsvRow,
  validateQuestionRows,
} from '@invigil/core/domain/questions/question-csv';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AppError } from '../../../runtime/app-error.ts';

/** The records of `csv-parse` with its option `info`. */
const Records = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }),
);

/**
 * Blank rows do not count, but parsing them blocks the process, and with it the saving of answers:
 * some 30 µs each, and one MiB can hold half a million.
 */
const MAX_RECORDS = 10 * QUESTION_LIMITS.csvMaxRows;

const NOT_TEXT = 'This file is not text. Save it as CSV in your spreadsheet and try again';

interface Reading {
  rows: CsvRow[];
  /** Why the file cannot be parsed with this separator. */
  problem: string | null;
}

/**
 * Parses a question file: UTF-8 or UTF-16, otherwise windows-1252; comma, semicolon or tab,
 * whichever yields more questions; any kind of line break, which becomes `\n` inside a field.
 * Throws TOO_LARGE above 1 MiB of text, and INVALID_INPUT with the line of a quoting error.
 */
export function parseCsvFile(file: Uint8Array): CsvRow[] {
  const text = decode(file);
  if (text.includes('\0')) throw new AppError('INVALID_INPUT', { message: NOT_TEXT });
  if (Buffer.byteLength(text) > QUESTION_LIMITS.csvMaxBytes) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooLarge });
  }
  // One kind of line break, because csv-parse counts a CRLF inside quotes as two lines.
  const lines = text.replace(/\r\n?/g, '\n');
  const readings = separatorsByFirstLine(lines).map((separator) => readRows(lines, separator));
  const best = readings.reduce((a, b) => (isBetter(b, a) ? b : a));
  // If no separator yields rows, an unclosed quote is the reason.
  const problem = wideRows(best) === 0 ? readings.find((r) => r.problem !== null)?.problem : null;
  if (problem) throw new AppError('INVALID_INPUT', { message: problem });
  if (best.rows.length > MAX_RECORDS) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooManyRows });
  }
  return best.rows;
}

function decode(file: Uint8Array): string {
  const [first, second] = file;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(file);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(file);
  // Without a byte order mark: a header in Latin letters has a zero in every second byte.
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
        to: MAX_RECORDS + 1,
      }),
    );
    // csv-parse reports the line on which a record ends; convert it to the one on which it starts.
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

/**
 * More valid questions, then more rows with enough fields; on a tie the likelier separator wins.
 */
function isBetter(a: Reading, b: Reading): boolean {
  const difference = validRows(a) - validRows(b);
  return difference !== 0 ? difference > 0 : wideRows(a) > wideRows(b);
}

const validRows = (reading: Reading) =>
  validateQuestionRows(reading.rows, true).rows.filter((row) => row.question !== null).length;

const wideRows = (reading: Reading) =>
  reading.rows.filter((row) => row.fields.length >= QUESTION_LIMITS.csvMinFields).length;
