import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  type CsvSeparator,
  separatorsByFirstLine,
} from '@invigil/core/domain/questions/csv-separator';
import { type CsvRow, validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { CsvError, parse } from 'csv-parse/sync';

/** The rows of a question file. */
export interface CsvReading {
  rows: CsvRow[];
  /** Why the file cannot be parsed. */
  problem: string | null;
}

/**
 * Reads the rows of a question file with comma, semicolon or tab, whichever yields more questions.
 *
 * @param text with `\n` as its line break: csv-parse counts a CRLF inside quotes as two lines
 * @param most rows that are read
 * @param countQuestions those among the rows; by the rules of product 8 when absent
 */
export function csvRows(
  text: string,
  most: number,
  countQuestions: (rows: readonly CsvRow[]) => number = validRows,
): CsvReading {
  // The likeliest separator first: it wins a tie.
  const readings = separatorsByFirstLine(text).map((separator) => {
    const reading = readRows(text, separator, most);
    return { ...reading, questions: countQuestions(reading.rows) };
  });
  const best = readings.reduce((a, b) => (isBetter(b, a) ? b : a));
  // If no separator yields rows, an unclosed quote is the reason.
  const problem =
    wideRows(best) === 0 ? (readings.find((r) => r.problem !== null)?.problem ?? null) : null;
  return { rows: best.rows, problem };
}

function readRows(text: string, separator: CsvSeparator, most: number): CsvReading {
  try {
    const rows: CsvRow[] = [];
    parse(text, {
      delimiter: separator,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: most,
      on_record: (fields: string[], { lines }) => {
        // It reports the line on which a record ends; convert it to the one on which it starts.
        const line = lines - fields.reduce((n, field) => n + field.split('\n').length - 1, 0);
        rows.push({ line, fields });
        return null;
      },
    });
    return { rows, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], problem: `The file cannot be read: ${error.message}` };
  }
}

/** More valid questions, then more rows with enough fields. */
function isBetter<Reading extends CsvReading & { questions: number }>(a: Reading, b: Reading) {
  const difference = a.questions - b.questions;
  return difference !== 0 ? difference > 0 : wideRows(a) > wideRows(b);
}

const validRows = (rows: readonly CsvRow[]) =>
  validateQuestionRows(rows, true).rows.filter((row) => row.question !== null).length;

const wideRows = (reading: CsvReading) =>
  reading.rows.filter((row) => row.fields.length >= QUESTION_LIMITS.csvMinFields).length;
