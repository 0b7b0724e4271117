import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';

export type RecordQuestion = ParticipantRecord['questions'][number];

export type AnswerOutcome = 'correct' | 'wrong' | 'unanswered';

export function outcomeOf(question: RecordQuestion): AnswerOutcome {
  if (question.selectedOption === '') return 'unanswered';
  return question.isCorrect ? 'correct' : 'wrong';
}

export type AnswerFilter = 'all' | 'wrong' | 'unanswered' | 'flagged';

export function answersUnder(
  filter: AnswerFilter,
  questions: readonly RecordQuestion[],
): readonly RecordQuestion[] {
  if (filter === 'all') return questions;
  if (filter === 'flagged') return questions.filter((question) => question.isFlagged);
  return questions.filter((question) => outcomeOf(question) === filter);
}

/** `12 correct, 3 wrong, 10 unanswered` */
export function outcomeSentence(questions: readonly RecordQuestion[]): string {
  const count = (outcome: AnswerOutcome) =>
    questions.filter((question) => outcomeOf(question) === outcome).length;
  return `${count('correct')} correct, ${count('wrong')} wrong, ${count('unanswered')} unanswered`;
}
