import type { ErrorIssue } from '@invigil/core/contract/errors';
import { QuestionBody } from '@invigil/core/contract/questions';
import { judgeQuestion, type QuestionDraft } from '@invigil/core/domain/question-options';

/** A judged question and where it is to stand. */
export interface PlacedDraft {
  draft: QuestionDraft;
  orderNumber: number | undefined;
}

/** Reads rows as the browser sends them; every problem at its row and field. */
export function parseQuestionRows(rows: readonly unknown[]): {
  drafts: PlacedDraft[];
  issues: ErrorIssue[];
} {
  const drafts: PlacedDraft[] = [];
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
    const judged = judgeQuestion(question, options, correctAnswer);
    if (judged.ok) drafts.push({ draft: judged.draft, orderNumber });
    else {
      for (const { path, message } of judged.problems) {
        issues.push({ path: `questions.${index}.${path}`, message });
      }
    }
  });
  return { drafts, issues };
}
