import { validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../../testing/shown.tsx';
import type { QuestionFile } from './read-question-file.ts';
import { UploadPreview } from './upload-preview.tsx';
import { UploadQuestions } from './upload-questions.tsx';

const row = (line: number, ...fields: string[]) => ({ line, fields });
const rows = [
  row(1, 'Question', 'A', 'B', 'Answer'),
  row(2, 'First?', '1', '2', 'A'),
  row(3, 'Second?', '1', '2', 'B'),
  row(4, 'Too short', '1'),
];
const linesOf = async (
  refusals: ReadonlyMap<number, string>,
  read: Pick<QuestionFile, 'encoding' | 'separator'> = { encoding: 'utf-8', separator: ',' },
) => {
  const nothing = () => undefined;
  const { container } = await show(
    <UploadPreview
      name="q.csv"
      file={{ rows, bytes: new Uint8Array(), ...read }}
      validated={validateQuestionRows(rows)}
      refusals={refusals}
      keepFirstRow={false}
      onKeepFirstRow={nothing}
      onEncoding={nothing}
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
  const utf16 = await linesOf(new Map(), { encoding: 'utf-16le', separator: ',' });
  expect(utf16.words).toContain('Read as UTF-16, fields separated by comma.');
  expect(utf16.words).not.toContain('The file is not UTF-8');
  const latin = await linesOf(new Map(), { encoding: 'windows-1252', separator: ';' });
  expect(latin.words).toContain('fields separated by semicolon. The file is not UTF-8');
});

test('the preview follows the encoding that is selected', async () => {
  const nothing = () => undefined;
  await show(<UploadQuestions quizId="q" onPendingChange={nothing} onImported={nothing} />);
  // "Что?" in windows-1251.
  const bytes = Uint8Array.of(0xd7, 0xf2, 0xee, 0x3f);
  const file = new File(['Question,A,B,Answer\n', bytes, ',x,y,A\n'], 'q.csv');
  await page.getByLabelText('Select a CSV file').upload(file);
  await expect.element(page.getByText('Что?')).toBeVisible();
  await expect.element(page.getByText(/Read as windows-1251/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Text encoding' }).click();
  await page.getByRole('option', { name: 'windows-1252 (Western Europe)' }).click();
  await expect.element(page.getByText('×òî?')).toBeVisible();
  await expect.element(page.getByText(/Read as windows-1252/)).toBeVisible();
});
