import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { remainingMs } from '@invigil/core/domain/attempt';
import { attentionOf, isOffline } from '@invigil/core/domain/live-order';
import { isLastChance } from '@invigil/core/domain/violations/violation-counting';
import type { PolicySettings } from '@invigil/core/domain/violations/violation-policy';
import type { CountingType } from '@invigil/core/domain/violations/violation-types';
import { followsPhoneRules } from '../../attempts/present.ts';
import type { BoardRow, KindCounts } from './board-queries.ts';

/** A row of the board with the policy as it applies to the person, parsed once per poll. */
export type BoardAttempt = BoardRow & { policy: PolicySettings };

/**
 * Whether face or voice alone may be one away from its own limit. Then they have to be counted by
 * kind: the sum of both does not show it.
 */
export function needsKindCounts({ policy, signal, countedViolations }: BoardAttempt): boolean {
  const { limits, combinedTypes, camera, microphone } = policy;
  if (signal === null) return false;
  // The combined limit is already near, which is at least as urgent.
  if (combinedTypes.length > 0 && isNear(countedViolations, limits.combined)) return false;
  const mayBeNear = (type: CountingType, limit: number | null) =>
    isNear(combinedTypes.some((one) => one === type) ? countedViolations : Infinity, limit);
  return (
    (camera && mayBeNear('face_not_detected', limits.face)) ||
    (microphone && mayBeNear('voice_detected', limits.voice))
  );
}

const isNear = (count: number, limit: number | null) =>
  limit !== null && count > 0 && count >= limit - 1;

/**
 * An attempt in progress as the board shows it.
 *
 * @param kinds counted violations by kind, where {@link needsKindCounts}
 */
export function presentLiveAttempt(
  row: BoardAttempt,
  kinds: KindCounts | undefined,
  now: Date,
): LiveAttempt {
  const { policy, isPhone, fullscreenExits, tabSwitches } = row;
  const { combined } = policy.limits;
  const attention = attentionOf(
    {
      isLastChance: isLastChance(
        { policy, isPhone: followsPhoneRules(row) },
        {
          combined: row.countedViolations,
          face: kinds?.face ?? 0,
          voice: kinds?.voice ?? 0,
          fullscreenExits,
          tabSwitches,
        },
      ),
      lastSignal: signalOf(row.signal),
      worstSignal: signalOf(row.worst),
      lastSeenAt: row.lastSeenAt,
      silentSince: row.silentSince,
    },
    now,
  );
  return {
    id: row.id,
    userEmail: row.userEmail,
    quizId: row.quizId,
    quizTitle: row.quizTitle,
    startedAt: row.startedAt.toISOString(),
    deadlineAt: row.deadlineAt.toISOString(),
    remainingMs: remainingMs(row.deadlineAt, now),
    answeredCount: row.answered,
    totalQuestions: row.totalMarks,
    violationCount: row.violationCount,
    violationLimit: combined,
    fullscreenExits,
    tabSwitches,
    lastSignal: row.signal && {
      id: row.signal.id,
      type: row.signal.type,
      at: row.signal.at,
      counted: row.signal.counted,
    },
    connection: isOffline(row.lastSeenAt, now) ? 'offline' : 'online',
    isSilent: row.silentSince !== null,
    isPhone,
    hasCamera: policy.camera && !isPhone,
    attention: attention && {
      kind: attention.kind,
      since: attention.since.toISOString(),
      signal: attention.signal && {
        type: attention.signal.type,
        counted: attention.signal.counted,
      },
    },
  };
}

const signalOf = (signal: BoardRow['worst']) => signal && { ...signal, at: new Date(signal.at) };
