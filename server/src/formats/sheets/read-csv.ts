import { type ReadFile, UnreadableFile } from '../imported-file.ts';
import { decodeText } from '../text/decode-text.ts';
import { csvRows } from './csv-rows.ts';
import { countQuestions, MOST_ROWS, readSheet } from './sheet-items.ts';

/** Reads a CSV file: a row for each question, with its options and the correct answer. */
export const readCsv: ReadFile = async ({ name, bytes, ...choices }, sink) => {
  const { text, encoding } = decodeText(bytes, choices.encoding);
  if (text.includes('\0')) {
    throw new UnreadableFile(
      'This file is not text. Save it as CSV in your spreadsheet and try again.',
    );
  }
  const { rows, problem } = csvRows(text, MOST_ROWS + 1, countQuestions);
  if (problem !== null) throw new UnreadableFile(`${problem}.`);
  const { items, ...summary } = readSheet(name, rows, choices.columns);
  for (const item of items) sink.item(item);
  return { format: 'csv', ...summary, encoding };
};
