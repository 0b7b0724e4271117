import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { OwnParticipant, Summary } from '@invigil/core/contract/attempts/own-participant';
import type { AttemptStatus } from '@invigil/core/domain/attempt';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
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
import { wipeOfflineCopies } from '../../lib/person/offline-copies.ts';
import { logProblem } from '../../lib/problem-log.ts';
import type { EndedBy } from './attempt-state.ts';

/**
 * The specification's local storage keys (section 3). They are copies for other tools; no decision
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
 * The specification's check of the start's copies, every 30 s: restores changed or removed ones. The time is
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
  const answered = [...values].filter(([, value]) => value.answer !== '');
  quizAnswersKey.write(Object.fromEntries(answered.map(([id, value]) => [id, value.answer])));
  flaggedQuestionsKey.write([...values].filter(([, v]) => v.isFlagged).map(([id]) => id));
}

/** Increments the copy of a count; only face and voice have one. */
export function copyCounted(type: CountingType | FlagType): void {
  if (type !== 'face_not_detected' && type !== 'voice_detected') return;
  const key = type === 'face_not_detected' ? faceViolationsKey : voiceViolationsKey;
  key.write((key.read() ?? 0) + 1);
}

export interface SeenAttempt {
  /** Milliseconds since the start; `null` on a page that has not seen the attempt run. */
  passedMs: number | null;
  values: ReadonlyMap<string, AnswerValue>;
  violationCount: number;
  fromPage: string;
}

/**
 * Writes what the last pages show before the server's response. A page loaded after the end knows little
 * of it and keeps existing copies.
 */
export function copyEndBefore(participant: OwnParticipant, by: EndedBy, seen: SeenAttempt): void {
  const summary = summaryBefore(participant, by, seen);
  const isKnown = seen.passedMs !== null;
  if (isKnown || completionDataKey.read() === null) copyCompletion(summary, by);
  if (by === 'dismissal' && (isKnown || dismissalContextKey.read() === null)) {
    copyDismissal(summary, seen);
  }
}

/** Writes the server's summary and removes the answers: the next user of the machine must not see them. */
export function copyEnd(summary: Summary, by: EndedBy, seen: SeenAttempt): void {
  copyCompletion(summary, by);
  if (summary.status === 'dismissed' && seen.passedMs !== null) copyDismissal(summary, seen);
  quizAnswersKey.remove();
  flaggedQuestionsKey.remove();
  wipeOfflineCopies();
}

function copyCompletion(summary: Summary, by: EndedBy): void {
  completionDataKey.write(summary);
  if (by === 'time') autoSubmittedKey.write(true);
}

function copyDismissal(summary: Summary, { values, fromPage }: SeenAttempt): void {
  const { answeredCount, totalQuestions } = summary;
  const flaggedCount = [...values.values()].filter((value) => value.isFlagged).length;
  dismissalContextKey.write({ fromPage, answeredCount, totalQuestions, flaggedCount });
}

/** Removes the marks of an end that never happened: forged or left-over values. */
export function forgetEndMarks(): void {
  for (const key of [completionDataKey, autoSubmittedKey, dismissalContextKey]) key.remove();
}

const SUBMISSION_TYPES = {
  candidate: 'manual',
  time: 'auto',
  server: 'database',
  dismissal: 'dismissed',
} as const;

/** The cause of an attempt's end, by the server's status. */
export function endOf({ status }: { status: AttemptStatus | null }): EndedBy {
  return status === 'dismissed' ? 'dismissal' : 'server';
}

/** The completion summary as known to this page; after a reload only the loaded participant is known. */
function summaryBefore(participant: OwnParticipant, by: EndedBy, seen: SeenAttempt): Summary {
  const { passedMs, values, violationCount } = seen;
  const answered = [...values.values()].filter((value) => value.answer !== '').length;
  const seconds = passedMs === null ? participant.timeSpent : Math.round(passedMs / 1_000);
  const dismissed = by === 'dismissal';
  return {
    status: dismissed ? 'dismissed' : 'completed',
    timeSpent: dismissed ? plausibleTimeSpent(seconds) : seconds,
    answeredCount: passedMs === null ? participant.answeredCount : answered,
    totalQuestions: participant.totalQuestions,
    violationCount,
    submissionType: SUBMISSION_TYPES[by],
  };
}

/**
 * The specification's substitute for an implausible time, in seconds. Only displayed while the server cannot be
 * reached; never sent.
 */
export function plausibleTimeSpent(seconds: number): number {
  const { plausibleTimeSpentMaxSeconds, implausibleTimeSpentSeconds } = ATTEMPT_LIMITS;
  const isPlausible = seconds > 0 && seconds <= plausibleTimeSpentMaxSeconds;
  return isPlausible ? seconds : implausibleTimeSpentSeconds;
}
