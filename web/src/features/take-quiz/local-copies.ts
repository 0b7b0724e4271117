import type { OwnParticipant, Summary } from '@invigil/core/contract/participants';
import type { PaperQuestion } from '@invigil/core/contract/questions';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import {
  autoSubmittedKey,
  completionDataKey,
  currentParticipantKey,
  dismissalContextKey,
  flaggedQuestionsKey,
  quizAnswersKey,
  quizStartTimeKey,
  quizStartTimestampKey,
  shuffledOrderKey,
} from '../../lib/local-keys.ts';

/**
 * The seed's local storage keys (section 3). They are copies that other tools may read; nothing here
 * is ever read back to decide anything. What an earlier visit left is looked at once, so that a
 * value that cannot be read is logged, and is then written over.
 */
export function copyStart(participant: OwnParticipant, paper: readonly PaperQuestion[]): void {
  const { id, startedAt, quizId, userId } = participant;
  const order = shuffledOrderKey(quizId, userId);
  for (const key of [quizAnswersKey, flaggedQuestionsKey, currentParticipantKey, order]) key.read();
  currentParticipantKey.write({ id, startedAt });
  quizStartTimestampKey.write(Date.parse(startedAt));
  quizStartTimeKey.write(startedAt);
  order.write(paper.map((question) => question.id));
}

export function copyAnswers(values: ReadonlyMap<string, AnswerValue>): void {
  const chosen = [...values].filter(([, value]) => value.selectedOption !== '');
  quizAnswersKey.write(Object.fromEntries(chosen.map(([id, value]) => [id, value.selectedOption])));
  flaggedQuestionsKey.write([...values].filter(([, v]) => v.isFlagged).map(([id]) => id));
}

/** A submit is under way (the server has not answered yet) or done. */
export function copyCompletion(summary: Summary, auto: boolean): void {
  completionDataKey.write(summary);
  if (auto) autoSubmittedKey.write(true);
}

export function copyDismissal(
  summary: Pick<Summary, 'answeredCount' | 'totalQuestions'>,
  fromPage: string,
  flaggedCount: number,
): void {
  const { answeredCount, totalQuestions } = summary;
  dismissalContextKey.write({ fromPage, answeredCount, totalQuestions, flaggedCount });
}

/** The marks of an end that never happened: a forged or left-over value. */
export function forgetEndMarks(): void {
  for (const key of [completionDataKey, autoSubmittedKey, dismissalContextKey]) key.remove();
}
