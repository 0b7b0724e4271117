import { validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { validateQuestion } from '@invigil/core/domain/questions/question-options';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readQuestionFile } from './import/read-question-file.ts';
import { questionFileName, questionFileOf, questionTemplate } from './question-file.ts';

function importOf(file: string) {
  const read = readQuestionFile('questions.csv', new TextEncoder().encode(file));
  if (!read.ok) throw new Error(read.problem);
  return validateQuestionRows(read.file.rows);
}

const nasty = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom('=', '+', '-', '@', "'", "''", '"', ',', ';', '\t', 'a\nb', 'A', 'é', '😀'),
      fc.string({ maxLength: 6 }),
    )
    .map((parts) => parts.join('')),
);

it('exports questions that the import reads back as the same questions', () => {
  const drafts = fc
    .array(fc.tuple(nasty, fc.array(nasty, { minLength: 2, maxLength: 4 }), fc.nat(3)), {
      minLength: 1,
      maxLength: 8,
    })
    .map((all) =>
      all.flatMap(([text, options, key]) => {
        const validated = validateQuestion(text, options, options[key % options.length] ?? '');
        return validated.ok ? [validated.draft] : [];
      }),
    );
  fc.assert(
    fc.property(drafts, (questions) => {
      // The parser has one kind of line end and no zero byte; neither can be typed into a field.
      const typed = questions.filter(
        (q) => !/[\r\0]/.test(JSON.stringify(q).replace(/\\r|\\u0000/g, '\r')),
      );
      if (typed.length === 0) return;
      const validated = importOf(questionFileOf(typed));
      expect(validated.problem).toBeNull();
      expect(validated.rows.map((row) => row.question)).toEqual(typed);
    }),
  );
});

it('escapes cells that a spreadsheet would execute', () => {
  const file = questionFileOf([{ question: '=1+1', options: ['-1', '@x'], correctAnswer: '@x' }]);
  expect(file).toBe(
    '\uFEFF"Question","Option A","Option B","Option C","Option D","Correct Answer"\r\n' +
      '"\'=1+1","\'-1","\'@x","","","B"\r\n',
  );
});

it('creates a valid template', () => {
  const { rows } = importOf(questionTemplate());
  expect(rows.map((row) => row.problem)).toEqual([null, null]);
});

it('names the file after the assessment', () => {
  expect(questionFileName('Data Protection: Basics!')).toBe('data-protection-basics-questions.csv');
  expect(questionFileName('日本')).toBe('assessment-questions.csv');
});
