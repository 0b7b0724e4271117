import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, type CsvRow } from '@invigil/core/domain/question-csv';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AppError } from '../../app-error.ts';

/** What the reader gives with `info`. */
const Records = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }),
);

/**
 * Reads a question file: UTF-8 or UTF-16 by its byte order mark, windows-1252 when it is not UTF-8;
 * comma, semicolon or tab by what the first line has most of. Throws TOO_LARGE above 1 MiB of text
 * and INVALID_INPUT with the line where the quoting breaks.
 */
export function parseCsvFile(file: Uint8Array): CsvRow[] {
  const text = decode(file);
  if (text.length > QUESTION_LIMITS.csvMaxBytes) {
    throw new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooLarge });
  }
  try {
    const records = Records.parse(
      parse(text, {
        delimiter: separatorOf(text),
        info: true,
        relax_column_count: true,
        relax_quotes: true,
      }),
    );
    // The reader tells the line on which a record ends; ours is the one on which it starts.
    return records.map(({ record, info }) => ({
      line: info.lines - record.join('').split('\n').length + 1,
      fields: record,
    }));
  } catch (error) {
    const message = error instanceof Error ? error.message : CSV_MESSAGES.none;
    throw new AppError('INVALID_INPUT', { message: `The file cannot be read: ${message}` });
  }
}

function decode(file: Uint8Array): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file);
  if (file[0] === 0xfe && file[1] === 0xff) return new TextDecoder('utf-16be').decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

/** The separator of the first line, quoted parts left out. */
function separatorOf(text: string): string {
  const line = (text.split(/\r?\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (sign: string) => line.split(sign).length - 1;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
