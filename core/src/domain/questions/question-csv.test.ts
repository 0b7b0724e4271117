import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CSV_MESSAGES,
  type CsvRow,
  questionFileName,
  questionFileOf,
  validateQuestionRows,
} from './question-csv.ts';

const HEADER = ['Question', 'Option A', 'Option B', 'Option C', 'Option D', 'Correct Answer'];

/** Rows under a header, one line each. */
const under = (...rows: string[][]): CsvRow[] =>
  [HEADER, ...rows].map((fields, i) => ({ line: i + 1, fields }));

/** The one row under a header. */
function validate(...fields: string[]) {
  const [row] = validateQuestionRows(under(fields)).rows;
  if (!row) throw new Error('the row was left out');
  return row;
}

describe('a row of a question file', () => {
  const tooFew = 'Line 2: Each question must have at least a question and 2 options';
  const same = 'Line 2: Two options are the same. Change one of them';
  const long = 'x'.repeat(4_001);
  const noMatch = (key: string, options: string) =>
    `Line 2: Correct answer "${key}" must match one of the options. Available options: ${options}`;

  it.each([
    ['one field', ['Q'], tooFew],
    ['two fields', ['Q', 'a'], tooFew],
    ['three fields, of which the last is the key', ['Q', 'a', 'a'], tooFew],
    ['no question', ['', 'a', 'b', 'A'], tooFew],
    ['a blank question', ['  ', 'a', 'b', 'A'], tooFew],
    ['one option and blank ones', ['Q', 'a', '', ' ', '', 'A'], tooFew],
    ['no options', ['Q', '', '', '', '', 'A'], tooFew],
    [
      'five options',
      ['Q', 'a', 'b', 'c', 'd', 'e', 'A'],
      'Line 2: A question has at most 4 options',
    ],
    ['a blank first option', ['Q', '', 'b', 'c', 'B'], 'Line 2: Option A is blank'],
    ['a blank option in between', ['Q', 'a', ' ', 'c', 'd', 'A'], 'Line 2: Option B is blank'],
    ['two blank options in between', ['Q', 'a', '', '', 'd', 'A'], 'Line 2: Option B is blank'],
    ['equal options', ['Q', 'a', 'b', 'a', 'A'], same],
    ['options equal once trimmed', ['Q', 'a', ' a ', 'A'], same],
    ['options equal without their apostrophes', ['Q', "'=1", '=1', 'A'], same],
    ['a question too long', [long, 'a', 'b', 'A'], 'Line 2: At most 4,000 characters'],
    ['an option too long', ['Q', long, 'b', 'B'], 'Line 2: At most 4,000 characters'],
    ['a key too long', ['Q', 'a', 'b', long], 'Line 2: At most 4,000 characters'],
    [
      'a letter without an option',
      ['Q', 'a', 'b', 'c', 'D'],
      'Line 2: Option D is out of range (only 3 options provided)',
    ],
    [
      'a lowercase letter without an option',
      ['Q', 'a', 'b', 'c'],
      'Line 2: Option C is out of range (only 2 options provided)',
    ],
    [
      'the letter of a trailing blank',
      ['Q', 'a', 'b', 'c', '', 'd'],
      'Line 2: Option D is out of range (only 3 options provided)',
    ],
    ['a letter beyond D', ['Q', 'a', 'b', 'E'], noMatch('E', 'a, b')],
    ['two letters', ['Q', 'a', 'b', 'AB'], noMatch('AB', 'a, b')],
    ['no key', ['Q', 'a', 'b', ''], noMatch('', 'a, b')],
    ['a key that is none of them', ['Q', 'Paris', 'Rome', 'Oslo'], noMatch('Oslo', 'Paris, Rome')],
    ['a key that is part of one', ['Q', 'Paris', 'Rome', 'Par'], noMatch('Par', 'Paris, Rome')],
  ])('is refused with %s', (_, fields, problem) => {
    expect(validate(...fields)).toMatchObject({ line: 2, question: null, problem });
  });

  it.each([
    ['a capital letter', ['Q', 'one', 'two', 'three', 'four', 'D'], 'four'],
    ['a small letter', ['Q', 'one', 'two', 'three', 'four', 'b'], 'two'],
    ['a letter among blanks', ['Q', 'one', 'two', ' C ', 'c '], ' C '.trim()],
    // A single letter always means the letter, never an option text.
    ['the letter, not the option with that text', ['Q', 'B', 'A', 'a'], 'B'],
    ['the letter, not the option with that text, in uppercase', ['Q', 'B', 'A', 'B'], 'A'],
    ['the whole text', ['Q', 'Paris', 'Rome', 'Rome'], 'Rome'],
    ['the text in another case', ['Q', 'Paris', 'Rome', 'rOME'], 'Rome'],
    ['the text in another case, beyond ASCII', ['Q', 'Ärger', 'Ödnis', 'öDNIS'], 'Ödnis'],
    ['the text in another case that has more letters', ['Q', 'Straße', 'Weg', 'STRASSE'], 'Straße'],
    ['the exact text before one that differs in case', ['Q', 'PH', 'pH', 'Ph', 'pH'], 'pH'],
    ['the first that differs only in case where none is exact', ['Q', 'PH', 'pH', 'ph'], 'PH'],
    ['a text with commas, quotes and brackets', ['Q', 'a, "b"', '[c]', '[c]'], '[c]'],
    ['a letter that names no option as text', ['Q', 'E', 'F', 'e'], 'E'],
  ])('finds the key by %s', (_, fields, correctAnswer) => {
    const { question, problem } = validate(...fields);
    expect({ problem, correctAnswer: question?.correctAnswer }).toEqual({
      problem: null,
      correctAnswer,
    });
  });

  it.each([
    ['two options', ['Q', 'a', 'b', 'A'], ['a', 'b']],
    ['four', ['Q', 'a', 'b', 'c', 'd', 'A'], ['a', 'b', 'c', 'd']],
    ['trailing blanks, which are dropped', ['Q', 'a', 'b', '', ' ', 'A'], ['a', 'b']],
    ['more trailing blanks than options', ['Q', 'a', 'b', '', '', '', '', 'A'], ['a', 'b']],
    ['blanks around', [' Q ', ' a', 'b\t', 'A'], ['a', 'b']],
    ['a line break inside', ['Q', 'a\r\nb', 'c', 'A'], ['a\r\nb', 'c']],
    [
      'texts that a spreadsheet would run as formulas',
      ['Q', "'=1+1", "'-1", "'@x", 'A'],
      ['=1+1', '-1', '@x'],
    ],
    ['an apostrophe that guards nothing', ['Q', "'tis", "''quoted", 'A'], ["'tis", "'quoted"]],
    ['one apostrophe of two, no more', ['Q', "''=1", 'x', 'A'], ["'=1", 'x']],
    ['blanks around what a spreadsheet would run', ['Q', " '=1 ", "'\t-1", 'A'], ['=1', '-1']],
    ['4,000 characters', ['Q', 'x'.repeat(4_000), 'b', 'A'], ['x'.repeat(4_000), 'b']],
  ])('accepts %s', (_, fields, options) => {
    const { question, problem } = validate(...fields);
    expect({ problem, options: question?.options }).toEqual({ problem: null, options });
    expect(question?.question).toBe('Q');
  });

  it('finds the key despite an apostrophe', () => {
    expect(validate('Q', "'=1", '2', "'=1").question?.correctAnswer).toBe('=1');
    expect(validate('Q', '=1', '2', "'=1").question?.correctAnswer).toBe('=1');
  });
});

describe('a question file', () => {
  const good = ['Q', 'a', 'b', 'A'];

  it.each([
    ['nothing', []],
    ['a header alone', [HEADER]],
    ['blank rows alone', [[''], ['', ' '], ['\t']]],
    ['a header and blank rows', [HEADER, [''], [' ', '']]],
    ['no valid line', [HEADER, ['Q'], ['Q', 'a', 'b', 'D']]],
  ])('with %s has no valid question', (_, rows) => {
    const file = validateQuestionRows(rows.map((fields, i) => ({ line: i + 1, fields })));
    expect(file.problem).toBe('No valid questions found in the CSV file');
  });

  it('leaves blank rows out and keeps the line numbers of the others', () => {
    const rows = [HEADER, [''], good, ['', '', ''], ['Q'], good];
    const file = validateQuestionRows(rows.map((fields, i) => ({ line: i + 1, fields })));
    expect(file.problem).toBeNull();
    expect(file.rows.map((r) => [r.line, r.problem])).toEqual([
      [3, null],
      [5, 'Line 5: Each question must have at least a question and 2 options'],
      [6, null],
    ]);
  });

  it('skips the first row that is not blank, whatever its content', () => {
    const file = validateQuestionRows([
      { line: 1, fields: [''] },
      { line: 2, fields: good },
      { line: 3, fields: ['Q2', 'a', 'b', 'B'] },
    ]);
    expect(file.rows.map((r) => r.line)).toEqual([3]);
    expect(file.headerLooksLikeQuestion).toBe(true);
  });

  it('reads the first row as a question when there is no header', () => {
    const rows: CsvRow[] = [{ line: 1, fields: good }];
    expect(validateQuestionRows(rows)).toMatchObject({ rows: [], headerLooksLikeQuestion: true });
    expect(validateQuestionRows(rows, true)).toMatchObject({
      problem: null,
      rows: [{ line: 1, question: { question: 'Q' } }],
    });
    const kept = validateQuestionRows(under(good), true);
    expect(kept.headerLooksLikeQuestion).toBe(false);
    expect(kept.rows.map((r) => r.line)).toEqual([1, 2]);
    expect(kept.rows[0]?.problem).toMatch(/^Line 1: Correct answer "Correct Answer" must match/);
  });

  it('accepts 1,000 rows and refuses 1,001, not counting header and blank rows', () => {
    const rows = (n: number) => Array.from({ length: n }, () => good);
    expect(validateQuestionRows(under(...rows(1_000), [''], [' '])).problem).toBeNull();
    expect(validateQuestionRows(under(...rows(1_001))).problem).toBe(CSV_MESSAGES.tooManyRows());
    expect(validateQuestionRows(under(...rows(1_000)), true).problem).toBe(
      CSV_MESSAGES.tooManyRows(),
    );
  });

  it('returns either a question or a problem for every row that is not blank', () => {
    const field = fc.oneof(
      fc.constantFrom('', ' ', 'A', 'b', 'D', "'", "'=1", '=1', 'Paris', 'paris'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 8 })), (rows) => {
        const given = under(...rows);
        const filled = given.slice(1).filter((r) => r.fields.some((f) => f.trim() !== ''));
        const validated = validateQuestionRows(given).rows;
        expect(validated.map((r) => r.line)).toEqual(filled.map((r) => r.line));
        for (const row of validated) {
          expect((row.question === null) !== (row.problem === null)).toBe(true);
          if (row.problem !== null) expect(row.problem.startsWith(`Line ${row.line}: `)).toBe(true);
          if (row.question === null) continue;
          const { question, options, correctAnswer } = row.question;
          expect(question).not.toBe('');
          expect(options.length).toBeGreaterThanOrEqual(2);
          expect(options.length).toBeLessThanOrEqual(4);
          expect(new Set(options).size).toBe(options.length);
          expect(options).toContain(correctAnswer);
          for (const text of [question, ...options]) expect(text).toBe(text.trim());
        }
      }),
    );
  });
});

describe('an exported file', () => {
  it('escapes cells that a spreadsheet would execute', () => {
    const file = questionFileOf([{ question: '=1+1', options: ['-1', '@x'], correctAnswer: '@x' }]);
    expect(file).toBe(
      '\uFEFF"Question","Option A","Option B","Option C","Option D","Correct Answer"\r\n' +
        '"\'=1+1","\'-1","\'@x","","","B"\r\n',
    );
  });

  it('is named after the assessment', () => {
    expect(questionFileName('Data Protection: Basics!')).toBe(
      'data-protection-basics-questions.csv',
    );
    expect(questionFileName('日本')).toBe('assessment-questions.csv');
  });
});
