import type { Question } from '@invigil/core/contract/assessments/question-list';
import type { QuestionView } from '../../../db/queries/questions.ts';

/** Includes the key, so for administrators only. */
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
