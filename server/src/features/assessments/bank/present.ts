import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { isDraft } from '@invigil/core/domain/questions/question-definition';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { BankView } from '../../../db/queries/question-bank.ts';

/** Includes the key, so for administrators only. */
export function presentBankQuestion({
  row,
  version,
  quizTitle,
  timesSeen,
}: BankView): BankQuestion {
  const definition = definitionOf(version);
  return {
    id: row.id,
    version: row.currentVersion,
    definition,
    isDraft: isDraft(definition),
    tags: row.tags,
    categoryId: row.categoryId,
    difficulty: row.difficulty,
    note: row.note,
    quizId: row.quizId,
    quizTitle,
    orderNumber: row.orderNumber,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: version.createdAt.toISOString(),
    timesSeen,
  };
}
