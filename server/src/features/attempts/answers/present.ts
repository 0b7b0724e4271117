import type { Answer, LateAnswer } from '@invigil/core/contract/attempts/answers';
import type { AnswerRow, LateAnswerRow } from '../../../db/queries/attempts/answers.ts';
import type { Paper } from '../paper/paper-cache.ts';
import { answerText } from './answer-text.ts';

/** An answer as its candidate may see it; for administrators, `correct` adds whether it is right. */
export function presentAnswer(
  row: AnswerRow,
  paper: Paper,
  correct: ReadonlySet<string> | null,
): Answer {
  return {
    id: row.id,
    participantId: row.participantId,
    questionId: row.questionId,
    selectedOption: answerText(paper.byQuestion.get(row.questionId), row),
    isFlagged: row.isFlagged,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    ...(correct ? { isCorrect: correct.has(row.questionId) } : {}),
  };
}

export function presentLateAnswer(row: LateAnswerRow, paper: Paper): LateAnswer {
  return {
    questionId: row.questionId,
    selectedOption: answerText(paper.byQuestion.get(row.questionId), row),
    isFlagged: row.isFlagged,
    revision: row.revision,
    receivedAt: row.receivedAt.toISOString(),
  };
}
