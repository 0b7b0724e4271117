import { type ReadFile, UnreadableFile } from '../imported-file.ts';
import { decodeText } from '../text/decode-text.ts';
import { csvRows } from './csv-rows.ts';
import { MOST_ROWS, sheetItems } from './sheet-items.ts';

/** Reads a CSV file: a row for each question, with its options and the correct answer. */
export const readCsv: ReadFile = async ({ name, bytes }, sink) => {
  const text = decodeText(bytes);
  if (text.includes('\0')) {
    throw new UnreadableFile(
      'This file is not text. Save it as CSV in your spreadsheet and try again.',
    );
  }
  const { rows, problem } = csvRows(text, MOST_ROWS + 1);
  if (problem !== null) throw new UnreadableFile(`${problem}.`);
  return { format: 'csv', problems: sheetItems(name, rows, sink) };
};
