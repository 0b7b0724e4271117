import {
  isPlainQuestion,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { t } from '@invigil/core/texts/i18n';
import { stringify } from 'csv-stringify/sync';
import type { ExportedQuestion } from '../exported-question.ts';

const LETTERS = 'ABCD';

/** The details of a question that a CSV file cannot hold; such a question is left out of it. */
export function csvCannotHold(definition: QuestionDefinition): string[] {
  return isPlainQuestion(definition)
    ? []
    : [
        t(
          'export.csv.leftOut',
          'Left out: CSV holds only plain questions with one correct answer out of 2 to 4 options and 1 point.',
        ),
      ];
}

/** Writes the plain questions with the columns that the import reads. */
export function writeCsv(questions: readonly ExportedQuestion[]): string {
  const rows = questions
    .map(({ definition }) => definition)
    .filter(isPlainQuestion)
    .map(({ question, options }) => {
      const texts = LETTERS.split('').map((_, i) => options[i]?.text ?? '');
      const key = LETTERS.charAt(options.findIndex(({ isCorrect }) => isCorrect));
      return [...[question, ...texts].map(guardCell), key];
    });
  const header = ['Question', 'Option A', 'Option B', 'Option C', 'Option D', 'Correct answer'];
  // Excel takes UTF-8 for an old encoding if the mark is missing.
  return stringify([header, ...rows], { bom: true });
}
