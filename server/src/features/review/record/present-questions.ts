import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import { pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import type { AnswerRow } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { PaperKey } from '../../../db/queries/attempts/paper-keys.ts';
import { answerText, UNANSWERED } from '../../attempts/answers/answer-text.ts';
import type { Paper } from '../../attempts/paper/paper-cache.ts';

/** The paper with key, answers and points, in its order. */
export function presentRecordQuestions({
  attempt,
  paper,
  keys,
  answers,
}: {
  attempt: Pick<ParticipantView, 'maxPoints' | 'negativeMarks'>;
  paper: Paper;
  keys: readonly PaperKey[];
  answers: readonly AnswerRow[];
}): ParticipantRecord['questions'] {
  const answerOf = new Map(answers.map((answer) => [answer.questionId, answer]));
  const keyOf = new Map(keys.map((key) => [key.questionId, key]));
  const scored = scorePaper(keys, answers, attempt.negativeMarks).questions;
  const scoreOf = new Map(scored.map((question) => [question.questionId, question]));
  return paper.entries.map((entry) => {
    const { position, questionId, optionOrder, content } = entry;
    const answer = answerOf.get(questionId);
    const score = scoreOf.get(questionId);
    const key = keyOf.get(questionId);
    const texts = (ids: readonly number[]) => ids.map((id) => content.textOf.get(id) ?? '');
    const definition =
      key &&
      definitionOf({
        ...key,
        question: content.question,
        optionTexts: texts(key.optionIds),
      });
    const correct = definition?.options.filter((option) => option.isCorrect) ?? [];
    return {
      position,
      questionId,
      question: content.question,
      options: texts(optionOrder),
      correctAnswer: correct.map((option) => option.text).join(', '),
      selectedOption: answerText(entry, answer ?? UNANSWERED),
      isFlagged: answer?.isFlagged ?? false,
      isCorrect: score?.isCorrect ?? false,
      savedAt: answer?.savedAt.toISOString() ?? null,
      ...(attempt.maxPoints === null || !score
        ? {}
        : { points: pointsOf(score.points), maxPoints: pointsOf(score.maxPoints) }),
      ...(key?.details ? { definition } : {}),
      ...(key?.correction ? { correction: key.correction.kind } : {}),
    };
  });
}
