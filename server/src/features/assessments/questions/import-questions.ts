import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import type { AppContext } from '../../../app-context.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { addQuestions, definitionOfDraft } from './change-questions.ts';
import { parseCsvFile } from './parse-csv-file.ts';
import { parseQuestionRows } from './parse-question-rows.ts';

/** Imports rows that the browser has validated; they are validated again, all or nothing. */
export function importRows(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  rows: readonly unknown[],
  now: Date,
) {
  if (rows.length === 0) throw new AppError('NO_VALID_QUESTIONS');
  if (rows.length > QUESTION_LIMITS.csvMaxRows) throw tooManyRows();
  const { drafts, issues } = parseQuestionRows(rows);
  throwIfAny(issues);
  return addQuestions(ctx, adminId, quizId, drafts, now);
}

/** Imports the file itself (text/csv) by the rules of product 8, all or nothing. */
export function importFile(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  file: Uint8Array,
  keepFirstRow: boolean,
  now: Date,
) {
  const { rows, problem } = validateQuestionRows(parseCsvFile(file), keepFirstRow);
  const issues = rows.flatMap((row) =>
    row.problem === null ? [] : [{ path: `line.${row.line}`, message: row.problem }],
  );
  if (problem === CSV_MESSAGES.none) throw new AppError('NO_VALID_QUESTIONS', { issues });
  if (problem !== null) throw tooManyRows();
  throwIfAny(issues);
  const drafts = rows.flatMap((row) =>
    row.question === null
      ? []
      : [{ definition: definitionOfDraft(row.question), orderNumber: undefined }],
  );
  return addQuestions(ctx, adminId, quizId, drafts, now);
}

function throwIfAny(issues: ErrorIssue[]): void {
  const first = issues[0];
  if (first) throw new AppError('INVALID_QUESTIONS', { message: first.message, issues });
}

function tooManyRows(): AppError {
  return new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooManyRows });
}
