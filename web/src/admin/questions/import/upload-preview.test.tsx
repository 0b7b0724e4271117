import { judgeQuestionRows } from '@invigil/core/domain/question-csv';
import { expect, test } from 'vitest';
import { draw, wordsOf } from '../../../testing/drawn.tsx';
import { UploadPreview } from './upload-preview.tsx';

const row = (line: number, ...fields: string[]) => ({ line, fields });
const rows = [
  row(1, 'Question', 'A', 'B', 'Answer'),
  row(2, 'First?', '1', '2', 'A'),
  row(3, 'Second?', '1', '2', 'B'),
  row(4, 'Too short', '1'),
];
const linesOf = (refusals: ReadonlyMap<number, string>) => {
  const nothing = () => undefined;
  const markup = draw(
    <UploadPreview
      name="q.csv"
      file={{ rows, encoding: 'UTF-8', separator: ',' }}
      judged={judgeQuestionRows(rows)}
      refusals={refusals}
      keepFirstRow={false}
      onKeepFirstRow={nothing}
      busy={false}
      onImport={nothing}
      onDiscard={nothing}
    />,
  );
  return { words: wordsOf(markup), lines: markup.match(/Line (?:<!-- -->)?\d(?=<\/span>)/g) };
};

test('rows with a problem are above the others, each with its line', () => {
  const { words, lines } = linesOf(new Map());
  expect(lines?.map((line) => line.at(-1))).toEqual(['4', '2', '3']);
  expect(words).toContain('Line 4: Each question must have at least a question and 2 options');
});

test('what the server refused stands at the question that it is about', () => {
  const { words, lines } = linesOf(new Map([[1, 'It exists already']]));
  expect(lines?.map((line) => line.at(-1))).toEqual(['3', '4', '2']);
  expect(words).toContain('It exists already Second?');
});
