import { guardCell } from '@invigil/core/domain/questions/spreadsheet-guard';

const HEADER = [
  'Question',
  'Option A',
  'Option B',
  'Option C',
  'Option D',
  'Correct Answer',
] as const;
const LETTERS = 'ABCD';

interface KeyedQuestion {
  question: string;
  options: readonly string[];
  correctAnswer: string;
}

/** Exports the questions as a file that the upload can read back; the key is a letter. */
export function questionFileOf(questions: readonly KeyedQuestion[]): string {
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
