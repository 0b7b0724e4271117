import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import type { IncomingAnswer } from '@invigil/core/domain/attempt';
import { AppError } from '../../../runtime/app-error.ts';
import type { Paper } from '../paper-cache.ts';
import { readAnswer, UNANSWERED } from './answer-text.ts';

/** An incoming row of a save or submit, as the wire has it. */
export interface WireAnswer {
  questionId: string;
  selectedOption?: string | null | undefined;
  isFlagged?: boolean | undefined;
  revision?: number | undefined;
}

/** The same row with its answer found on the paper. */
export interface MatchedAnswer extends IncomingAnswer {
  questionId: string;
}

/**
 * Finds each row's question and answer on the paper. An option's text is compared as a whole, so commas,
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
    const answer = entry ? readAnswer(entry, row.selectedOption ?? '') : UNANSWERED;
    if (!entry) unknownQuestions.push({ path, message: 'This question is not on the paper' });
    else if ('problem' in answer) problems.push({ path, message: answer.problem });
    if (seen.has(questionId)) problems.push({ path, message: 'This question appears twice' });
    seen.add(questionId);
    return {
      questionId,
      ...('problem' in answer ? UNANSWERED : answer),
      isFlagged: row.isFlagged ?? false,
      revision: row.revision ?? null,
    };
  });
  if (unknownQuestions.length > 0) throw new AppError('NOT_FOUND', { issues: unknownQuestions });
  if (problems.length > 0) throw new AppError('INVALID_INPUT', { issues: problems });
  return matched;
}
