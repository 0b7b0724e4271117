import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  CSV_MESSAGES,
  type CsvRow,
  type ValidatedFile,
  validateQuestionRows,
} from '@invigil/core/domain/questions/question-csv';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { t } from '@invigil/core/texts/i18n';
import { CsvError, parse } from 'csv-parse/sync';
import {
  atLine,
  cut,
  type ReadChoices,
  type ReadFile,
  TooManyItems,
  UnreadableFile,
} from '../imported-file.ts';
import { decodeText } from '../text/decode-text.ts';
import { countQuestions, MOST_ROWS, readSheet } from './sheet-items.ts';

/** Reads a CSV file: a row for each question, with its options and the correct answer. */
export const readCsv: ReadFile = async (file, sink) => {
  const { name, bytes, firstRow, ...choices } = file;
  if (firstRow === undefined) {
    const { text, encoding } = csvText(bytes, choices.encoding);
    const rows = csvRows(text, MOST_ROWS + 1, countQuestions);
    const { items, ...summary } = readSheet(name, rows, choices.columns);
    for (const item of items) sink.item(item);
    return { format: 'csv', ...summary, encoding };
  }
  const { rows, problem, headerLooksLikeQuestion, encoding } = readQuestionRows(bytes, file);
  for (const row of rows) {
    sink.item({
      source: { file: name, line: row.line },
      title: cut((row.question?.question ?? row.fields.join(' | ')).replace(/\s+/g, ' '), 80),
      definition: row.question && definitionOfDraft(row.question),
      notes: row.problem === null ? [] : [row.problem],
      tags: [],
      categoryPath: [],
    });
  }
  const problems = problem === null ? [] : [problem];
  return { format: 'csv', problems, encoding, isFirstRowQuestion: headerLooksLikeQuestion };
};

/**
 * Blank rows do not count, but parsing them takes time: some 30 µs each, and one MiB can hold half a million.
 */
const MOST_RECORDS = 10 * QUESTION_LIMITS.csvMaxRows;

/**
 * The rows of a question file, validated by the rules of product 8; `problem` when none is a question.
 * Throws UnreadableFile, TooManyItems above 1 MiB of text or 1,000 rows.
 */
export function readQuestionRows(
  bytes: Uint8Array,
  { encoding, firstRow }: ReadChoices,
): ValidatedFile & { encoding: Encoding } {
  const { rows, encoding: read } = readCsvRows(bytes, encoding);
  const file = validateQuestionRows(rows, firstRow === 'question');
  if (file.rows.length > QUESTION_LIMITS.csvMaxRows) {
    throw new TooManyItems(CSV_MESSAGES.tooManyRows());
  }
  return { ...file, encoding: read };
}

/** The rows as they are written, blank ones too. Throws UnreadableFile, TooManyItems. */
export function readCsvRows(bytes: Uint8Array, chosen?: Encoding) {
  const { text, encoding } = csvText(bytes, chosen);
  if (Buffer.byteLength(text) > QUESTION_LIMITS.csvMaxBytes) {
    throw new TooManyItems(CSV_MESSAGES.tooLarge());
  }
  const rows = csvRows(text, MOST_RECORDS + 1, countValid);
  if (rows.length > MOST_RECORDS) throw new TooManyItems(CSV_MESSAGES.tooManyRows());
  return { rows, encoding };
}

function csvText(bytes: Uint8Array, chosen: Encoding | undefined) {
  const decoded = decodeText(bytes, chosen);
  if (decoded.text.includes('\0')) throw new UnreadableFile(CSV_MESSAGES.notText());
  return decoded;
}

/** Accepted separators between the fields of a question file. */
const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Reads the rows of a question file with comma, semicolon or tab, whichever yields more questions. Throws
 * UnreadableFile.
 *
 * @param text with `\n` as its line break: csv-parse counts a CRLF inside quotes as two lines
 * @param most rows that are read
 * @param count the questions among the rows
 */
function csvRows(
  text: string,
  most: number,
  count: (rows: readonly CsvRow[]) => number,
): readonly CsvRow[] {
  const head = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const uses = (separator: string) => head.split(separator).length;
  // The likeliest separator first: it wins a tie.
  const readings = [...SEPARATORS]
    .sort((a, b) => uses(b) - uses(a))
    .map((separator) => {
      const reading = readRows(text, separator, most);
      return { ...reading, questions: count(reading.rows), wide: countWide(reading.rows) };
    });
  const best = readings.reduce((a, b) =>
    b.questions > a.questions || (b.questions === a.questions && b.wide > a.wide) ? b : a,
  );
  // If no separator yields rows, an unclosed quote is the reason.
  const problem = best.wide === 0 ? readings.find((reading) => reading.problem)?.problem : null;
  if (problem) throw new UnreadableFile(problem);
  return best.rows;
}

function readRows(text: string, separator: string, most: number) {
  const rows: CsvRow[] = [];
  try {
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
    const { lines } = error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const problem = isOpen
      ? CSV_MESSAGES.openQuote()
      : t(
          /* {reason} is in English */ 'import.csv.unreadable',
          'The file cannot be read: {reason}',
          {
            reason: error.message,
          },
        );
    return { rows: [], problem: typeof lines === 'number' ? atLine(lines, problem) : problem };
  }
}

const countValid = (rows: readonly CsvRow[]) =>
  validateQuestionRows(rows, true).rows.filter((row) => row.question !== null).length;

const countWide = (rows: readonly CsvRow[]) =>
  rows.filter((row) => row.fields.length >= QUESTION_LIMITS.csvMinFields).length;
