import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';

/** The counted violation after which the attempt was dismissed: the last one. */
export function endingViolation({
  participant,
  violations,
}: Pick<ParticipantRecord, 'participant' | 'violations'>): Violation | undefined {
  if (participant.status !== 'dismissed') return undefined;
  return violations.findLast(({ counted }) => counted);
}
