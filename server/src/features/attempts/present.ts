import { PolicySettings } from '@invigil/core/contract/assessments/policy';
import type {
  AttemptNews,
  OwnParticipant,
  PausedClock,
  Summary,
} from '@invigil/core/contract/attempts/own-participant';
import type { Participant } from '@invigil/core/contract/review/participants';
import {
  deadlineShown,
  lastingPause,
  type Pause,
  pausedBefore,
  remainingMs,
  timeSpentSeconds,
} from '@invigil/core/domain/attempt';
import { knownOf } from '@invigil/core/domain/people';
import { doesCountRight, pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import { type Outcome, outcomeOf, type StoredResult } from '@invigil/core/domain/results/outcome';
import type { AnswerRow } from '../../db/queries/attempts/answers.ts';
import type { ParticipantListRow } from '../../db/queries/attempts/attempt-list.ts';
import type { ParticipantView, SensorSwitches } from '../../db/queries/attempts/attempts.ts';
import type { PaperKey } from '../../db/queries/attempts/paper-keys.ts';
import type { Paper } from './paper-cache.ts';

/** An attempt as its candidate may see it: no score, no marks (product 4.8). */
export function presentOwnParticipant(p: ParticipantView, now: Date): OwnParticipant {
  return {
    id: p.id,
    userId: p.userId,
    quizId: p.quizId,
    status: p.status,
    startedAt: p.startedAt.toISOString(),
    deadlineAt: deadlineShown(p, p.submittedAt ?? now).toISOString(),
    remainingMs: p.status === 'in_progress' ? remainingMs(p.deadlineAt, now, p.pausedUntil) : 0,
    ...presentPause(p, now),
    serverTime: now.toISOString(),
    totalQuestions: p.totalMarks,
    answeredCount: p.answered,
    violationCount: violationCount(p),
    fullscreenExits: p.fullscreenExits,
    tabSwitches: p.tabSwitches,
    policy: { version: p.policyVersion, ...policyFor(p) },
    ...(p.negativeMarks ? { negativeMarks: p.negativeMarks } : {}),
    ...(p.breaksLeft > 0 && p.breakMsLeft > 0
      ? { breaks: { left: p.breaksLeft, leftMs: p.breakMsLeft } }
      : {}),
    // A page on a computer knows it itself.
    ...(p.isPhone && p.usedComputer ? { computerUsed: true } : {}),
    submittedAt: p.submittedAt?.toISOString() ?? null,
    timeSpent: timeSpentSeconds(p, now),
    submissionType: p.submissionType,
  };
}

/**
 * An attempt as administrators see it. While in progress it has no score, and its time spent grows.
 */
export function presentParticipant(row: ParticipantListRow, now: Date): Participant {
  return {
    id: row.id,
    userId: row.userId,
    quizId: row.quizId,
    userEmail: row.userEmail,
    ...knownOf(row),
    quizTitle: row.quizTitle,
    status: row.status,
    score: row.score,
    totalMarks: row.totalMarks,
    ...presentPoints(row),
    violationCount: violationCount(row),
    violationLimit: row.violationLimit,
    timeSpent: timeSpentSeconds(row, now),
    startedAt: row.startedAt.toISOString(),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    submissionType: row.submissionType,
    attempt: row.attempt,
    answeredCount: row.answered,
    verdict: row.verdict,
    toReview: row.toReview,
    fullscreenExits: row.fullscreenExits,
    tabSwitches: row.tabSwitches,
    reviewFlags: row.reviewFlags,
    ...presentOutcome(row),
  };
}

/** Absent without rules and before the end. */
function presentOutcome(row: Pick<ParticipantListRow, keyof StoredResult | 'resultRules'>): {
  outcome?: Outcome;
} {
  const outcome = outcomeOf(row, row.resultRules);
  return outcome === null ? {} : { outcome };
}

/** Nothing where questions have no points. */
export function presentPoints({
  points,
  maxPoints,
}: Pick<ParticipantListRow, 'points' | 'maxPoints'>) {
  if (maxPoints === null) return {};
  return { points: points === null ? null : pointsOf(points), maxPoints: pointsOf(maxPoints) };
}

/** The questions of a paper in its order, each with its key, its answer and what it earned. */
export function listEarned(
  attempt: Pick<ParticipantView, 'maxPoints' | 'countsRight' | 'negativeMarks'>,
  { entries }: Paper,
  keys: readonly PaperKey[],
  answers: readonly AnswerRow[],
) {
  const keyOf = new Map(keys.map((key) => [key.questionId, key]));
  const answerOf = new Map(answers.map((answer) => [answer.questionId, answer]));
  const scored = scorePaper(
    keys,
    answers,
    attempt.negativeMarks,
    doesCountRight(attempt),
  ).questions;
  const scoreOf = new Map(scored.map((score) => [score.questionId, score]));
  return entries.map((entry) => {
    const score = scoreOf.get(entry.questionId);
    const earned = {
      isCorrect: score?.isCorrect ?? false,
      ...(attempt.maxPoints === null || !score
        ? {}
        : { points: pointsOf(score.points), maxPoints: pointsOf(score.maxPoints) }),
    };
    const { questionId } = entry;
    return { entry, key: keyOf.get(questionId), answer: answerOf.get(questionId), earned };
  });
}

/** The state of an attempt, as heartbeat and event stream send it. */
export function presentNews(
  news: Pick<
    ParticipantView,
    | 'status'
    | 'submissionType'
    | 'deadlineAt'
    | 'pausedAt'
    | 'pausedUntil'
    | 'pausedMs'
    | 'pauseReason'
    | 'messageCount'
    | 'helpAt'
  > &
    Partial<Pick<ParticipantView, 'closeAt' | 'closeReason'>> & {
      violationCount: number;
      watched: boolean;
    },
  now: Date,
): AttemptNews {
  const { closeAt, closeReason } = news;
  const isRunning = news.status === 'in_progress';
  const isBeingEnded = isRunning && closeReason === 'database' && closeAt !== undefined;
  return {
    status: news.status,
    submissionType: news.submissionType,
    remainingMs: isRunning ? remainingMs(news.deadlineAt, now, news.pausedUntil) : 0,
    deadlineAt: deadlineShown(news, now).toISOString(),
    ...(isRunning ? presentPause(news, now) : {}),
    violationCount: news.violationCount,
    messageCount: news.messageCount,
    ...(isBeingEnded ? { endsInMs: remainingMs(closeAt, now) } : {}),
    ...(news.watched && isRunning ? { watched: true } : {}),
    ...(news.helpAt && isRunning ? { handUp: true } : {}),
  };
}

/** Nothing of an attempt that was never paused. */
function presentPause(
  attempt: Pause & { pauseReason: string | null },
  now: Date,
): { pause?: PausedClock; pausedMs?: number } {
  const pause = lastingPause(attempt, now);
  const pausedMs = pausedBefore(attempt, now);
  const over = pausedMs === 0 ? {} : { pausedMs };
  if (pause === null) return over;
  const { leftMs, until } = pause;
  const isOpen = until === null;
  return { ...over, pause: { reason: attempt.pauseReason, leftMs, ...(isOpen ? { isOpen } : {}) } };
}

/** The attempt's own policy as it holds for the person. */
export function policyFor(
  p: Pick<ParticipantView, 'policySettings' | 'cameraEnabled' | 'microphoneEnabled'> &
    Partial<SensorSwitches>,
): PersonalPolicy {
  const enabled = { camera: p.cameraEnabled, microphone: p.microphoneEnabled };
  return forPerson(policyOf(p), { ...enabled, faceCovered: p.faceCovered === true });
}

/** The attempt's own policy, before anything was switched off for the person. */
export function policyOf({ policySettings }: Pick<ParticipantView, 'policySettings'>) {
  return PolicySettings.parse(policySettings);
}

/** A policy as it holds for one person: without the sensors that were switched off for them. */
export function forPerson<P extends { camera: boolean; microphone: boolean }>(
  policy: P,
  person: { camera: boolean; microphone: boolean; faceCovered: boolean },
): P & { faceCovered?: true } {
  return {
    ...policy,
    camera: policy.camera && person.camera,
    microphone: policy.microphone && person.microphone,
    ...(person.faceCovered ? { faceCovered: true } : {}),
  };
}

type PersonalPolicy = PolicySettings & { faceCovered?: true };

/** Whether tab switches follow the phone rule, as phones have no tabs: no computer was used. */
export function followsPhoneRules({
  isPhone,
  usedComputer,
}: Pick<ParticipantView, 'isPhone' | 'usedComputer'>): boolean {
  return isPhone && !usedComputer;
}

/** The larger of counted violations and counter calls, never their sum (I14). */
export function violationCount(p: { countedViolations: number; violationCalls: number }): number {
  return Math.max(p.countedViolations, p.violationCalls);
}

/** The summary of an attempt that has ended. */
export function presentSummary(p: ParticipantView): Summary {
  if (p.submittedAt === null || p.submissionType === null)
    throw new Error('the attempt has not ended');
  return {
    status: p.status,
    timeSpent: timeSpentSeconds(p, p.submittedAt),
    answeredCount: p.answered,
    totalQuestions: p.totalMarks,
    violationCount: violationCount(p),
    submissionType: p.submissionType,
  };
}
