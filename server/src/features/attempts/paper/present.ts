import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { PaperEntry } from './paper-cache.ts';

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
