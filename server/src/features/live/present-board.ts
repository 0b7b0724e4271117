import type { LiveAttempt } from '@invigil/core/contract/live';
import { remainingMs } from '@invigil/core/domain/attempt';
import { attentionOf, isOffline } from '@invigil/core/domain/live-order';
import { policyFor } from '../participants/present.ts';
import type { BoardRow } from './board-queries.ts';

/** An attempt under way as the board shows it. */
export function presentLiveAttempt(row: BoardRow, now: Date): LiveAttempt {
  const policy = policyFor(row);
  const { combined, fullscreen } = policy.limits;
  const attention = attentionOf(
    {
      violationCount: row.violationCount,
      violationLimit: combined,
      fullscreenExits: row.fullscreenExits,
      fullscreenLimit: policy.fullscreen ? fullscreen : null,
      lastSignal: row.signal && { ...row.signal, at: new Date(row.signal.at) },
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
    fullscreenExits: row.fullscreenExits,
    tabSwitches: row.tabSwitches,
    lastSignal: row.signal && {
      id: row.signal.id,
      type: row.signal.type,
      at: row.signal.at,
      counted: row.signal.counted,
    },
    lastSeenAt: row.lastSeenAt.toISOString(),
    connection: isOffline(row.lastSeenAt, now) ? 'offline' : 'online',
    isSilent: row.silentSince !== null,
    isPhone: row.isPhone,
    hasCamera: policy.camera && !row.isPhone,
    attention: attention && { kind: attention.kind, since: attention.since.toISOString() },
  };
}
