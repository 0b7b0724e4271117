import type { PaperQuestion, Question } from '@invigil/core/contract/question-list';
import type { PaperEntry } from '../answers/paper-cache.ts';
import type { QuestionView } from './queries.ts';

/** With the key: administrators only. */
export function presentQuestion({ row, version }: QuestionView): Question {
  return {
    id: row.id,
    quizId: row.quizId,
    type: 'multiple_choice',
    question: version.question,
    options: version.optionTexts,
    correctAnswer: version.optionTexts[version.optionIds.indexOf(version.correctOptionId)] ?? '',
    orderNumber: row.orderNumber,
    version: row.currentVersion,
  };
}

/** Without the key, in the paper's order: what a candidate may see (product 4.8). */
export function presentPaperQuestion(quizId: string, entry: PaperEntry): PaperQuestion {
  return {
    id: entry.questionId,
    quizId,
    type: 'multiple_choice',
    question: entry.content.question,
    options: entry.optionOrder.map((id) => entry.content.textOf.get(id) ?? ''),
    orderNumber: entry.position,
  };
}
