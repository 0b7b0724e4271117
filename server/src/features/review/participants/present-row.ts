import type { Participant } from '@invigil/core/contract/review/participants';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import type { ParticipantListRow } from '../../../db/queries/attempts/attempt-list.ts';
import { violationCount } from '../../attempts/present.ts';

/**
 * An attempt as administrators see it. While in progress it has no score, and its time spent grows.
 */
export function presentParticipant(row: ParticipantListRow, now: Date): Participant {
  return {
    id: row.id,
    userId: row.userId,
    quizId: row.quizId,
    userEmail: row.userEmail,
    quizTitle: row.quizTitle,
    status: row.status,
    score: row.score,
    totalMarks: row.totalMarks,
    ...presentPoints(row),
    violationCount: violationCount(row),
    violationLimit: row.violationLimit,
    timeSpent: timeSpentSeconds(row.startedAt, row.submittedAt, now),
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
  };
}

/** Nothing where questions have no points. */
export function presentPoints({
  points,
  maxPoints,
}: Pick<ParticipantListRow, 'points' | 'maxPoints'>) {
  if (maxPoints === null) return {};
  return { points: points === null ? null : pointsOf(points), maxPoints: pointsOf(maxPoints) };
}
