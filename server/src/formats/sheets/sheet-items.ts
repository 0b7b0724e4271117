import { type CsvRow, validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { type ImportedItem, type ImportSink, UnreadableFile } from '../imported-file.ts';
import { notSupported } from '../text/imported-item.ts';

/** Rows that are read: the header, and as many questions as an import may have. */
export const MOST_ROWS = IMPORT_LIMITS.itemsMax + 1;

/** Items of the rows of a sheet, by the rules of CSV files; returns problems. Throws UnreadableFile. */
export function sheetItems(
  file: string,
  rows: readonly CsvRow[],
  sink: Pick<ImportSink, 'item'>,
): string[] {
  if (rows.length > MOST_ROWS) {
    const most = IMPORT_LIMITS.itemsMax.toLocaleString('en-GB');
    throw new UnreadableFile(`The file has more than ${most} rows. Split it into smaller files.`);
  }
  const withHeader = validateQuestionRows(rows);
  const { headerLooksLikeQuestion } = withHeader;
  const { rows: validated } = headerLooksLikeQuestion
    ? validateQuestionRows(rows, true)
    : withHeader;
  const items = validated.map((row): ImportedItem => {
    const head = {
      source: { file, line: row.line },
      title: row.fields[0] ?? '',
      tags: [],
      categoryPath: [],
      notes: [],
    };
    if (row.question === null) return notSupported(head, row.problem);
    const { question, options, correctAnswer } = row.question;
    const definition = plainDefinition(question, options, correctAnswer);
    return { ...notSupported(head, ''), definition, notes: [] };
  });
  if (items.every(({ definition }) => definition === null)) {
    throw new UnreadableFile(
      items[0]?.notes[0] ??
        'The file has no rows with a question, its options and the correct answer.',
    );
  }
  for (const item of items) sink.item(item);
  return headerLooksLikeQuestion
    ? ['The first row is a question, so the file was read without a header.']
    : [];
}
