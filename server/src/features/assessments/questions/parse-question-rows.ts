import { QuestionBody } from '@invigil/core/contract/assessments/questions';
import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { validateQuestion } from '@invigil/core/domain/questions/question-options';
import { definitionOfDraft, type PlacedDefinition } from './change-questions.ts';

/** Parses rows as the browser sends them; each problem is reported with its row and field. */
export function parseQuestionRows(rows: readonly unknown[]): {
  drafts: PlacedDefinition[];
  issues: ErrorIssue[];
} {
  const drafts: PlacedDefinition[] = [];
  const issues: ErrorIssue[] = [];
  rows.forEach((row, index) => {
    const parsed = QuestionBody.safeParse(row);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        issues.push({ path: ['questions', index, ...path].join('.'), message });
      }
      return;
    }
    const { question, options, correctAnswer, orderNumber } = parsed.data;
    const result = validateQuestion(question, options, correctAnswer);
    if (result.ok) drafts.push({ definition: definitionOfDraft(result.draft), orderNumber });
    else {
      for (const { path, message } of result.problems) {
        issues.push({ path: `questions.${index}.${path}`, message });
      }
    }
  });
  return { drafts, issues };
}
