import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { OwnParticipant, Summary } from '@invigil/core/contract/attempts/own-participant';
import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';
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
 * The seed's local storage keys (section 3). They are copies for other tools; no decision
 * depends on them. Existing values are read once, so that invalid ones are logged, and then
 * overwritten.
 */
export function copyStart(participant: OwnParticipant, paper: readonly PaperQuestion[]): void {
  const { id, startedAt, quizId, userId } = participant;
  const order = shuffledOrderKey(quizId, userId);
  for (const key of [quizAnswersKey, flaggedQuestionsKey, currentParticipantKey, order]) key.read();
  writeStart(id, startedAt);
  order.write(paper.map((question) => question.id));
}

/**
 * The seed's check of the start's copies, every 30 s: restores changed or removed ones. The time is
 * never taken from them.
 */
export function checkStart({ id, startedAt }: OwnParticipant): void {
  const stored = [
    [quizStartTimestampKey.read(), Date.parse(startedAt)],
    [quizStartTimeKey.read(), startedAt],
    [currentParticipantKey.read()?.id ?? null, id],
  ];
  if (stored.every(([copy, truth]) => copy === truth)) return;
  if (stored.some(([copy, truth]) => copy !== null && copy !== truth)) {
    logProblem('The stored start of the attempt did not match the server and was restored');
  }
  writeStart(id, startedAt);
}

function writeStart(id: string, startedAt: string): void {
  currentParticipantKey.write({ id, startedAt });
  quizStartTimestampKey.write(Date.parse(startedAt));
  quizStartTimeKey.write(startedAt);
}

export function copyAnswers(values: ReadonlyMap<string, AnswerValue>): void {
  const answered = [...values].filter(([, value]) => value.selectedOption !== '');
  quizAnswersKey.write(
    Object.fromEntries(answered.map(([id, value]) => [id, value.selectedOption])),
  );
  flaggedQuestionsKey.write([...values].filter(([, v]) => v.isFlagged).map(([id]) => id));
}

/** Called after the submit: the next user of this machine must not find them. */
export function removeAnswerCopies(): void {
  quizAnswersKey.remove();
  flaggedQuestionsKey.remove();
}

/** Increments the copy of a count; only face and voice have one. */
export function copyCounted(type: CountingType | FlagType): void {
  if (type !== 'face_not_detected' && type !== 'voice_detected') return;
  const key = type === 'face_not_detected' ? faceViolationsKey : voiceViolationsKey;
  key.write((key.read() ?? 0) + 1);
}

/** A submit is in progress or done. */
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

/** Which marks of an end exist. */
export function readEndMarks(): { completed: boolean; dismissed: boolean } {
  return {
    completed: completionDataKey.read() !== null,
    dismissed: dismissalContextKey.read() !== null,
  };
}

/** Removes the marks of an end that never happened: forged or left-over values. */
export function forgetEndMarks(): void {
  for (const key of [completionDataKey, autoSubmittedKey, dismissalContextKey]) key.remove();
}
