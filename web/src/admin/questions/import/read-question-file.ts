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
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { z } from 'zod';
import { decodeFile } from '../../../lib/decode-file.ts';

/** The rows of a question file, and how it was decoded. */
export interface QuestionFile {
  rows: CsvRow[];
  encoding: Encoding;
  /** As it was selected, to read it again in another encoding. */
  bytes: Uint8Array;
  separator: CsvSeparator;
}

export type ReadFile = { ok: true; file: QuestionFile } | { ok: false; problem: string };

export const FILE_MESSAGES = {
  notText: 'This file is not text. Save it as CSV in your spreadsheet and try again',
  empty: 'The file is empty',
  openQuote: 'A quoted field is not closed',
} as const;

/** UTF-16 has at least two bytes per character, so the file may be twice the text limit. */
const MOST_BYTES = 2 * QUESTION_LIMITS.csvMaxBytes + 2;

/**
 * Reads a question file into rows: UTF-8 or UTF-16, else the likeliest encoding; comma, semicolon or tab,
 * whichever gives more questions; quoted fields may hold line breaks. Core validates the rows.
 */
export function readQuestionFile(name: string, bytes: Uint8Array, chosen?: Encoding): ReadFile {
  if (!/\.csv$/i.test(name)) return refused(CSV_MESSAGES.notCsv);
  if (bytes.length > MOST_BYTES) return refused(CSV_MESSAGES.tooLarge);
  // Its line ends are all of one kind: the parser counts CR and LF twice.
  const { text, encoding } = decodeFile(bytes, chosen);
  if (text.includes('\0')) return refused(FILE_MESSAGES.notText);
  if (text.trim() === '') return refused(FILE_MESSAGES.empty);
  if (new TextEncoder().encode(text).length > QUESTION_LIMITS.csvMaxBytes) {
    return refused(CSV_MESSAGES.tooLarge);
  }
  const best = bestReading(text);
  if (best.problem !== null) return refused(best.problem);
  if (best.rows.length > MOST_RECORDS) return refused(CSV_MESSAGES.tooManyRows);
  return { ok: true, file: { rows: best.rows, encoding, bytes, separator: best.separator } };
}

/** Reads a selected or dropped file; refuses files over the limit unread. */
export async function readPickedFile(file: File): Promise<ReadFile> {
  if (!/\.csv$/i.test(file.name)) return refused(CSV_MESSAGES.notCsv);
  if (file.size > MOST_BYTES) return refused(CSV_MESSAGES.tooLarge);
  return readQuestionFile(file.name, new Uint8Array(await file.arrayBuffer()));
}

function refused(problem: string): ReadFile {
  return { ok: false, problem };
}

/**
 * Limit of records including blank ones, which are not rows but take time to parse: a mebibyte may
 * contain half a million.
 */
const MOST_RECORDS = 10 * QUESTION_LIMITS.csvMaxRows;

/** With `info` the parser wraps each record and returns its last line. */
const Records = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }),
);

interface Reading {
  separator: CsvSeparator;
  rows: CsvRow[];
  problem: string | null;
}

function readRows(text: string, separator: CsvSeparator): Reading {
  try {
    const records = Records.parse(
      parse(text, {
        delimiter: separator,
        record_delimiter: '\n',
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        to: MOST_RECORDS + 1,
        info: true,
      }),
    );
    // The parser returns a record's last line; we need its first.
    const rows = records.map(({ record, info }) => ({
      line: info.lines - record.reduce((n, field) => n + field.split('\n').length - 1, 0),
      fields: record,
    }));
    return { separator, rows, problem: null };
  } catch (error) {
    return { separator, rows: [], problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof CsvError)) throw error;
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return error.message;
  const line = typeof error.lines === 'number' ? `Line ${error.lines}: ` : '';
  return `${line}${FILE_MESSAGES.openQuote}`;
}

/**
 * Parses with the separator that yields the most questions; if none yields any, with the likeliest, so
 * that errors refer to the file as intended.
 */
function bestReading(text: string): Reading {
  const readings = separatorsByFirstLine(text).map((separator) => readRows(text, separator));
  return readings.reduce((best, other) => (goodRows(other) > goodRows(best) ? other : best));
}

const goodRows = (reading: Reading) =>
  validateQuestionRows(reading.rows, true).rows.filter((row) => row.question !== null).length;
