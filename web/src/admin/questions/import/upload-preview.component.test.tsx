import { validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { expect, test } from 'vitest';
import { show, wordsIn } from '../../../testing/shown.tsx';
import type { QuestionFile } from './read-question-file.ts';
import { UploadPreview } from './upload-preview.tsx';

const row = (line: number, ...fields: string[]) => ({ line, fields });
const rows = [
  row(1, 'Question', 'A', 'B', 'Answer'),
  row(2, 'First?', '1', '2', 'A'),
  row(3, 'Second?', '1', '2', 'B'),
  row(4, 'Too short', '1'),
];
const linesOf = async (
  refusals: ReadonlyMap<number, string>,
  read: Pick<QuestionFile, 'encoding' | 'separator'> = { encoding: 'UTF-8', separator: ',' },
) => {
  const nothing = () => undefined;
  const { container } = await show(
    <UploadPreview
      name="q.csv"
      file={{ rows, ...read }}
      validated={validateQuestionRows(rows)}
      refusals={refusals}
      keepFirstRow={false}
      onKeepFirstRow={nothing}
      busy={false}
      onImport={nothing}
      onDiscard={nothing}
    />,
  );
  const lines = [...container.querySelectorAll('span')].flatMap(
    ({ textContent }) => /^Line (\d)$/.exec(textContent ?? '')?.[1] ?? [],
  );
  return { words: wordsIn(container), lines };
};

test('lists rows with a problem first, with their lines', async () => {
  const { words, lines } = await linesOf(new Map());
  expect(lines).toEqual(['4', '2', '3']);
  expect(words).toContain('Line 4: Each question must have at least a question and 2 options');
});

test('shows a server error at its question', async () => {
  const { words, lines } = await linesOf(new Map([[1, 'It exists already']]));
  expect(lines).toEqual(['3', '4', '2']);
  expect(words).toContain('It exists already Second?');
});

test('names the encoding, and warns where it is not Unicode', async () => {
  const utf16 = await linesOf(new Map(), { encoding: 'UTF-16', separator: ',' });
  expect(utf16.words).toContain('Read as UTF-16, fields separated by comma.');
  expect(utf16.words).not.toContain('The file is not UTF-8');
  const latin = await linesOf(new Map(), { encoding: 'windows-1252', separator: ';' });
  expect(latin.words).toContain('fields separated by semicolon. The file is not UTF-8');
});
