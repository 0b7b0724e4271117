import type { OwnParticipant, Summary } from '@invigil/core/contract/own-participant';
import type { PaperQuestion } from '@invigil/core/contract/question-list';
import type { CountingType, FlagType } from '@invigil/core/domain/violation-types';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import {
  autoSubmittedKey,
  completionDataKey,
  currentParticipantKey,
  dismissalContextKey,
  faceViolationsKey,
  flaggedQuestionsKey,
  quizAnswersKey,
  quizStartTimeKey,
  quizStartTimestampKey,
  shuffledOrderKey,
  voiceViolationsKey,
} from '../../lib/person/local-keys.ts';
import { logProblem } from '../../lib/problem-log.ts';

/**
 * The seed's local storage keys (section 3). They are copies that other tools may read; nothing here
 * is ever read back to decide anything. What an earlier visit left is looked at once, so that a
 * value that cannot be read is logged, and is then written over.
 */
export function copyStart(participant: OwnParticipant, paper: readonly PaperQuestion[]): void {
  const { id, startedAt, quizId, userId } = participant;
  const order = shuffledOrderKey(quizId, userId);
  for (const key of [quizAnswersKey, flaggedQuestionsKey, currentParticipantKey, order]) key.read();
  writeStart(id, startedAt);
  order.write(paper.map((question) => question.id));
}

/**
 * The seed's look every 30 s at the copies of the start: what someone changed or removed is put back.
 * The time itself never comes from them.
 */
export function checkStart({ id, startedAt }: OwnParticipant): void {
  const stored = [
    [quizStartTimestampKey.read(), Date.parse(startedAt)],
    [quizStartTimeKey.read(), startedAt],
    [currentParticipantKey.read()?.id ?? null, id],
  ];
  if (stored.every(([copy, truth]) => copy === truth)) return;
  if (stored.some(([copy, truth]) => copy !== null && copy !== truth)) {
    logProblem('The stored start of the attempt was not what the server said; it is put back');
  }
  writeStart(id, startedAt);
}

function writeStart(id: string, startedAt: string): void {
  currentParticipantKey.write({ id, startedAt });
  quizStartTimestampKey.write(Date.parse(startedAt));
  quizStartTimeKey.write(startedAt);
}

export function copyAnswers(values: ReadonlyMap<string, AnswerValue>): void {
  const chosen = [...values].filter(([, value]) => value.selectedOption !== '');
  quizAnswersKey.write(Object.fromEntries(chosen.map(([id, value]) => [id, value.selectedOption])));
  flaggedQuestionsKey.write([...values].filter(([, v]) => v.isFlagged).map(([id]) => id));
}

/** They are handed in, and the next person at this machine must not find them. */
export function removeAnswerCopies(): void {
  quizAnswersKey.remove();
  flaggedQuestionsKey.remove();
}

/** One more that the server has counted; only faces and voices have a copy. */
export function copyCounted(type: CountingType | FlagType): void {
  if (type !== 'face_not_detected' && type !== 'voice_detected') return;
  const key = type === 'face_not_detected' ? faceViolationsKey : voiceViolationsKey;
  key.write((key.read() ?? 0) + 1);
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

/** Which marks of an end are there. */
export function readEndMarks(): { completed: boolean; dismissed: boolean } {
  return {
    completed: completionDataKey.read() !== null,
    dismissed: dismissalContextKey.read() !== null,
  };
}

/** The marks of an end that never happened: a forged or left-over value. */
export function forgetEndMarks(): void {
  for (const key of [completionDataKey, autoSubmittedKey, dismissalContextKey]) key.remove();
}
