import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { AppError } from '../../../runtime/app-error.ts';
import type { Paper } from '../paper/paper-cache.ts';

/** An incoming row of a save or submit, as the wire has it. */
export interface WireAnswer {
  questionId: string;
  selectedOption?: string | null | undefined;
  isFlagged?: boolean | undefined;
  revision?: number | undefined;
}

/** The same row with its option found on the paper; `optionId` null is unanswered. */
export interface MatchedAnswer {
  questionId: string;
  optionId: number | null;
  isFlagged: boolean;
  revision: number | null;
}

/**
 * Finds each row's question and option on the paper. An option's text is compared as a whole, so commas,
 * brackets and quotes in it are harmless (product 4.6). All or nothing: throws NOT_FOUND when a question
 * is not on the paper, INVALID_INPUT for an unknown option or a repeated question, with the rows in
 * `issues` as `answers.n`.
 */
export function matchAnswers(paper: Paper, rows: readonly WireAnswer[]): MatchedAnswer[] {
  const unknownQuestions: ErrorIssue[] = [];
  const problems: ErrorIssue[] = [];
  const seen = new Set<string>();
  const matched = rows.map((row, index): MatchedAnswer => {
    const path = `answers.${index}`;
    const questionId = row.questionId.toLowerCase();
    const entry = paper.byQuestion.get(questionId);
    const text = row.selectedOption ?? '';
    const optionId = text === '' ? null : (entry?.content.idOf.get(text) ?? null);
    if (!entry) unknownQuestions.push({ path, message: 'This question is not on the paper' });
    else if (text !== '' && optionId === null) {
      problems.push({ path, message: 'This is not an option of the question' });
    }
    if (seen.has(questionId)) problems.push({ path, message: 'This question comes twice' });
    seen.add(questionId);
    return {
      questionId,
      optionId,
      isFlagged: row.isFlagged ?? false,
      revision: row.revision ?? null,
    };
  });
  if (unknownQuestions.length > 0) throw new AppError('NOT_FOUND', { issues: unknownQuestions });
  if (problems.length > 0) throw new AppError('INVALID_INPUT', { issues: problems });
  return matched;
}
