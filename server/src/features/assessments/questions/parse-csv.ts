import { QuestionBody } from '@invigil/core/contract/assessments/questions';
import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES } from '@invigil/core/domain/questions/question-csv';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import { validateQuestion } from '@invigil/core/domain/questions/question-options';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { type ReadChoices, TooManyItems, UnreadableFile } from '../../../formats/imported-file.ts';
import { readQuestionRows } from '../../../formats/sheets/read-csv.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { NewQuestion } from './change-questions.ts';

/**
 * The questions of rows in JSON, each problem with its row and field. Throws NO_VALID_QUESTIONS,
 * INVALID_QUESTIONS, TOO_LARGE.
 */
export function parseQuestionRows(rows: readonly unknown[]): NewQuestion[] {
  if (rows.length === 0) throw new AppError('NO_VALID_QUESTIONS');
  if (rows.length > QUESTION_LIMITS.csvMaxRows) throw tooLarge(CSV_MESSAGES.tooManyRows());
  const issues: ErrorIssue[] = [];
  const added = rows.flatMap((row, index) => {
    const parsed = QuestionBody.safeParse(row);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        issues.push({ path: ['questions', index, ...path].join('.'), message });
      }
      return [];
    }
    const { question, options, correctAnswer, orderNumber } = parsed.data;
    const result = validateQuestion(question, options, correctAnswer);
    if (result.ok) return [{ definition: definitionOfDraft(result.draft), orderNumber }];
    for (const { path, message } of result.problems) {
      issues.push({ path: `questions.${index}.${path}`, message });
    }
    return [];
  });
  throwIfAny(issues);
  return added;
}

/**
 * The questions of the file itself (text/csv) by the rules of product 8, and the encoding in which it was
 * read. Throws NO_VALID_QUESTIONS, INVALID_QUESTIONS, INVALID_INPUT, TOO_LARGE.
 */
export function parseQuestionFile(
  bytes: Uint8Array,
  choices: Pick<ReadChoices, 'encoding' | 'firstRow'>,
): { added: NewQuestion[]; encoding: Encoding } {
  const { rows, problem, encoding } = readable(() => readQuestionRows(bytes, choices));
  const issues = rows.flatMap((row) =>
    row.problem === null ? [] : [{ path: `line.${row.line}`, message: row.problem }],
  );
  if (problem !== null) throw new AppError('NO_VALID_QUESTIONS', { issues });
  throwIfAny(issues);
  const added = rows.flatMap(({ question }) =>
    question === null ? [] : [{ definition: definitionOfDraft(question) }],
  );
  return { added, encoding };
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooManyItems) throw tooLarge(error.message);
    if (!(error instanceof UnreadableFile)) throw error;
    throw new AppError('INVALID_INPUT', { message: error.message });
  }
}

function throwIfAny(issues: ErrorIssue[]): void {
  const first = issues[0];
  if (first) throw new AppError('INVALID_QUESTIONS', { message: first.message, issues });
}

const tooLarge = (message: string) => new AppError('TOO_LARGE', { message });
