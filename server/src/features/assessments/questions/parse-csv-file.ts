import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, type CsvRow } from '@invigil/core/domain/questions/question-csv';
import { csvRows } from '../../../formats/sheets/csv-rows.ts';
import { decodeText } from '../../../formats/text/decode-text.ts';
import { AppError } from '../../../runtime/app-error.ts';

/**
 * Blank rows do not count, but parsing them blocks the process, and with it the saving of answers:
 * some 30 µs each, and one MiB can hold half a million.
 */
const MAX_RECORDS = 10 * QUESTION_LIMITS.csvMaxRows;

const NOT_TEXT = 'This file is not text. Save it as CSV in your spreadsheet and try again';

/**
 * Parses a question file: UTF-8 or UTF-16, otherwise the likeliest encoding; comma, semicolon or tab,
 * whichever yields more questions; any kind of line break, which becomes `\n` inside a field.
 * Throws TOO_LARGE above 1 MiB of text, and INVALID_INPUT with the line of a quoting error.
 */
export function parseCsvFile(file: Uint8Array): CsvRow[] {
  const { text } = decodeText(file);
  if (text.includes('\0')) throw new AppError('INVALID_INPUT', { message: NOT_TEXT });
  if (Buffer.byteLength(text) > QUESTION_LIMITS.csvMaxBytes) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooLarge });
  }
  const { rows, problem } = csvRows(text, MAX_RECORDS + 1);
  if (problem !== null) throw new AppError('INVALID_INPUT', { message: problem });
  if (rows.length > MAX_RECORDS) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooManyRows });
  }
  return rows;
}
