import type { Answer, LateAnswer } from '@invigil/core/contract/attempts/answers';
import type { AnswerRow, LateAnswerRow } from '../../../db/queries/attempts/answers.ts';
import type { Paper } from '../paper/paper-cache.ts';

/** An answer as its candidate may see it; for administrators, `keys` adds whether it is right. */
export function presentAnswer(
  row: AnswerRow,
  paper: Paper,
  keys: ReadonlyMap<string, number> | null,
): Answer {
  const content = paper.byQuestion.get(row.questionId)?.content;
  return {
    id: row.id,
    participantId: row.participantId,
    questionId: row.questionId,
    selectedOption: optionText(row.optionId, content),
    isFlagged: row.isFlagged,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    ...(keys ? { isCorrect: row.optionId === keys.get(row.questionId) } : {}),
  };
}

export function presentLateAnswer(row: LateAnswerRow, paper: Paper): LateAnswer {
  return {
    questionId: row.questionId,
    selectedOption: optionText(row.optionId, paper.byQuestion.get(row.questionId)?.content),
    isFlagged: row.isFlagged,
    revision: row.revision,
    receivedAt: row.receivedAt.toISOString(),
  };
}

function optionText(
  id: number | null,
  content: { textOf: ReadonlyMap<number, string> } | undefined,
) {
  return id === null ? '' : (content?.textOf.get(id) ?? '');
}
