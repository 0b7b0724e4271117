import { t } from '../../texts/i18n.ts';
import { QUESTION_LIMITS } from '../limits.ts';
import { listText } from '../locale.ts';
import { guardCell, unguardCell } from '../spreadsheet-guard.ts';
import { foldCase } from '../typed-text.ts';
import { QUESTION_MESSAGES, type QuestionDraft } from './question-options.ts';

/** One row from the CSV reader: the line where it starts (header = 1) and its fields. */
export interface CsvRow {
  line: number;
  fields: readonly string[];
}

export type ValidatedRow =
  | { line: number; fields: string[]; question: QuestionDraft; problem: null }
  | { line: number; fields: string[]; question: null; problem: string };

export interface ValidatedFile {
  rows: ValidatedRow[];
  /** The first row was skipped as the header, but would be a valid question. */
  headerLooksLikeQuestion: boolean;
  /** The user's message about the file as a whole; `null` when there is none. */
  problem: string | null;
}

export const CSV_MESSAGES = {
  none: () => t('error.noValidQuestions', 'No valid questions found in the CSV file'),
  notCsv: () => t('csv.notCsv', 'Only .csv files can be uploaded'),
  notText: () =>
    t('csv.notText', 'This file is not text. Save it as CSV in your spreadsheet and try again'),
  openQuote: () => t('csv.openQuote', 'A quoted field is not closed'),
  tooLarge: () => t('csv.tooLarge', 'The file is larger than 1 MiB. Split it into smaller files'),
  tooManyRows: () =>
    t(
      'csv.tooManyRows',
      '{max, plural, one {The file has more than {max} row. Split it into smaller files} other {The file has more than {max} rows. Split it into smaller files}}',
      { max: QUESTION_LIMITS.csvMaxRows },
    ),
};

const LETTERS = 'ABCD';

/**
 * Validates the rows of a question file by the rules of product 8, with the specification's line messages. Blank
 * rows are skipped.
 *
 * @param keepFirstRow the file has no header: its first row is a question
 */
export function validateQuestionRows(rows: readonly CsvRow[], keepFirstRow = false): ValidatedFile {
  const filled = rows.filter((row) => row.fields.some((field) => field.trim() !== ''));
  const first = filled[0];
  const headerLooksLikeQuestion = first !== undefined && validateRow(first).question !== null;
  const validated = (keepFirstRow ? filled : filled.slice(1)).map(validateRow);
  const problem =
    validated.length > QUESTION_LIMITS.csvMaxRows
      ? CSV_MESSAGES.tooManyRows()
      : validated.every((row) => row.question === null)
        ? CSV_MESSAGES.none()
        : null;
  return { rows: validated, headerLooksLikeQuestion, problem };
}

function validateRow(row: CsvRow): ValidatedRow {
  const fields = row.fields.map((field) => unguardCell(field.trim()).trim());
  const refuse = (sentence: string): ValidatedRow => ({
    line: row.line,
    fields,
    question: null,
    problem: t(/* of a file */ 'csv.line', 'Line {line}: {problem}', {
      line: row.line,
      problem: sentence,
    }),
  });

  const question = fields[0] ?? '';
  const key = fields.at(-1) ?? '';
  const options = fields.slice(1, -1);
  while (options.at(-1) === '') options.pop();

  if (question === '' || options.length < QUESTION_LIMITS.optionsMin) {
    return refuse(t('csv.twoOptions', 'Each question must have at least a question and 2 options'));
  }
  if (fields.some((field) => field.length > QUESTION_LIMITS.textMaxCharacters)) {
    return refuse(QUESTION_MESSAGES.tooLong());
  }
  if (options.length > QUESTION_LIMITS.optionsMax)
    return refuse(QUESTION_MESSAGES.tooManyOptions());
  const blank = options.indexOf('');
  if (blank >= 0) {
    return refuse(
      t('csv.blankOption', 'Option {letter} is blank', { letter: LETTERS.charAt(blank) }),
    );
  }
  if (new Set(options).size < options.length) return refuse(QUESTION_MESSAGES.equalOptions());

  const correctAnswer = findKey(key, options);
  if (typeof correctAnswer !== 'string') return refuse(correctAnswer.problem);
  return { line: row.line, fields, question: { question, options, correctAnswer }, problem: null };
}

/** A single letter A-D in any case is a letter; anything else is compared with the option texts. */
function findKey(key: string, options: readonly string[]): string | { problem: string } {
  if (/^[a-d]$/i.test(key)) {
    const letter = key.toUpperCase();
    const option = options[LETTERS.indexOf(letter)];
    return (
      option ?? {
        problem: t(
          'csv.outOfRange',
          '{count, plural, one {Option {letter} is out of range (only # option provided)} other {Option {letter} is out of range (only # options provided)}}',
          { letter, count: options.length },
        ),
      }
    );
  }
  // The exact text first: "pH" and "PH" may be two different options.
  const option =
    options.find((o) => o === key) ?? options.find((o) => foldCase(o) === foldCase(key));
  return (
    option ?? {
      problem: noSuchOption(key, options),
    }
  );
}

/** The message about a key that is no option; a letter that only looks like a key letter is named. */
export function noSuchOption(key: string, options: readonly string[]): string {
  const sentence = t(
    /* {key} is what stands in the file */ 'csv.noSuchOption',
    'Correct answer "{key}" must match one of the options. Available options: {options}',
    { key, options: listText(options, 'unit') },
  );
  const similar = lookAlikeLetter(key);
  return similar === null
    ? sentence
    : `${sentence}. ${LOOKS_ALIKE[similar.script]({ key, latin: similar.latin })}`;
}

const LOOKS_ALIKE = {
  Cyrillic: ({ key, latin }: { key: string; latin: string }) =>
    t(
      'csv.cyrillicLetter',
      '"{key}" is the Cyrillic letter that looks like {latin}: type it again as a Latin letter',
      { key, latin },
    ),
  Greek: ({ key, latin }: { key: string; latin: string }) =>
    t(
      'csv.greekLetter',
      '"{key}" is the Greek letter that looks like {latin}: type it again as a Latin letter',
      { key, latin },
    ),
};

/** Capital and small letters that look like A to J. */
const LOOK_ALIKES = {
  Cyrillic: { А: 'A', В: 'B', С: 'C', Е: 'E', Ԍ: 'G', Н: 'H', І: 'I', Ј: 'J' },
  Greek: { Α: 'A', Β: 'B', Ε: 'E', Η: 'H', Ι: 'I', Ϲ: 'C' },
} as const;

/** The Latin letter that a single letter of another script looks like; `null`: none. */
export function lookAlikeLetter(
  key: string,
): { script: keyof typeof LOOKS_ALIKE; latin: string } | null {
  for (const script of ['Cyrillic', 'Greek'] as const) {
    const latin = new Map(Object.entries(LOOK_ALIKES[script])).get(key.toUpperCase());
    if (latin !== undefined) return { script, latin };
  }
  return null;
}

const HEADER = [
  'Question',
  'Option A',
  'Option B',
  'Option C',
  'Option D',
  'Correct Answer',
] as const;
/** Exports the questions as a file that the upload can read back; the key is a letter. */
export function questionFileOf(questions: readonly Readonly<QuestionDraft>[]): string {
  const rows = questions.map(({ question, options, correctAnswer }) => [
    question,
    ...Array.from({ length: LETTERS.length }, (_, i) => options[i] ?? ''),
    LETTERS.charAt(options.indexOf(correctAnswer)),
  ]);
  // The byte order mark identifies UTF-8 to spreadsheets.
  return `\uFEFF${[HEADER, ...rows].map(lineOf).join('\r\n')}\r\n`;
}

/** A template: the header and two examples, one with two options only. */
export function questionTemplate(): string {
  return questionFileOf([
    {
      question: 'Which planet is closest to the sun?',
      options: ['Venus', 'Mercury', 'Mars', 'Earth'],
      correctAnswer: 'Mercury',
    },
    {
      question: 'Water boils at 100 °C at sea level.',
      options: ['True', 'False'],
      correctAnswer: 'True',
    },
  ]);
}

function lineOf(cells: readonly string[]): string {
  return cells.map((cell) => `"${guardCell(cell).replaceAll('"', '""')}"`).join(',');
}

/** A name valid on every file system. */
export function questionFileName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name.slice(0, 60) || 'assessment'}-questions.csv`;
}
