import type { OwnParticipant, Summary } from '@invigil/core/contract/attempts/own-participant';
import type { AttemptStatus } from '@invigil/core/domain/attempt';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import type { EndedBy } from './attempt-state.ts';
import { plausibleTimeSpent } from './time-taken.ts';

const SUBMISSION_TYPES = {
  candidate: 'manual',
  time: 'auto',
  server: 'database',
  dismissal: 'dismissed',
} as const;

/** Who ended an attempt, by the server's status. */
export function endOf({ status }: { status: AttemptStatus | null }): EndedBy {
  return status === 'dismissed' ? 'dismissal' : 'server';
}

/**
 * The completion summary as known to this page before the server's.
 *
 * @param seen.passedMs `null` after a reload: then only the loaded participant is known
 */
export function summaryBefore(
  participant: OwnParticipant,
  by: EndedBy,
  seen: {
    passedMs: number | null;
    values: ReadonlyMap<string, AnswerValue>;
    violationCount: number;
  },
): Summary {
  const { passedMs, values, violationCount } = seen;
  const answered = [...values.values()].filter((value) => value.selectedOption !== '').length;
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
