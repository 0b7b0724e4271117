import { QuestionBody } from '@invigil/core/contract/questions';
import type { ErrorIssue } from '@invigil/core/contract/errors';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, judgeQuestionRows } from '@invigil/core/domain/question-csv';
import { judgeQuestion, type QuestionDraft } from '@invigil/core/domain/question-options';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { addQuestions } from './change-questions.ts';
import { readCsvFile } from './read-csv-file.ts';

type Draft = { draft: QuestionDraft; orderNumber: number | undefined };

/** Imports rows that the browser has judged already; judged again here, all or nothing. */
export function importRows(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  rows: readonly unknown[],
  now: Date,
) {
  if (rows.length === 0) throw new AppError('NO_VALID_QUESTIONS');
  if (rows.length > QUESTION_LIMITS.csvMaxRows) throw tooMany();
  const drafts: Draft[] = [];
  const issues: ErrorIssue[] = [];
  rows.forEach((row, index) => {
    const parsed = QuestionBody.safeParse(row);
    if (!parsed.success) {
      for (const i of parsed.error.issues) {
        issues.push({ path: ['questions', index, ...i.path].join('.'), message: i.message });
      }
      return;
    }
    const { question, options, correctAnswer, orderNumber } = parsed.data;
    const judged = judgeQuestion(question, options, correctAnswer);
    if (judged.ok) drafts.push({ draft: judged.draft, orderNumber });
    else {
      for (const p of judged.problems) {
        issues.push({ path: `questions.${index}.${p.path}`, message: p.message });
      }
    }
  });
  refuseIf(issues);
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
  const { rows, problem } = judgeQuestionRows(readCsvFile(file), keepFirstRow);
  if (problem === CSV_MESSAGES.none) throw new AppError('NO_VALID_QUESTIONS');
  if (problem !== null) throw tooMany();
  const issues = rows.flatMap((row) =>
    row.problem === null ? [] : [{ path: `line.${row.line}`, message: row.problem }],
  );
  refuseIf(issues);
  const drafts = rows.flatMap((row) =>
    row.question === null ? [] : [{ draft: row.question, orderNumber: undefined }],
  );
  return addQuestions(ctx, adminId, quizId, drafts, now);
}

function refuseIf(issues: ErrorIssue[]): void {
  const first = issues[0];
  if (first) throw new AppError('INVALID_QUESTIONS', { message: first.message, issues });
}

function tooMany(): AppError {
  return new AppError('TOO_LARGE', { message: CSV_MESSAGES.tooManyRows });
}
