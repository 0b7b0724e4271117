import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';

/** Props of an action's dialog. */
export interface ActionDialogProps {
  record: ParticipantRecord;
  onClose(): void;
}

/** The person an action concerns, as the start of a sentence. */
export function personOf({ participant }: ParticipantRecord): string {
  return participant.userEmail ?? 'This candidate';
}

/** Seconds left when the attempt ended. */
export function secondsLeftOf({ participant, deadlineAt }: ParticipantRecord): number {
  if (participant.submittedAt === null) return 0;
  const ms = Date.parse(deadlineAt) - Date.parse(participant.submittedAt);
  return Math.max(0, Math.floor(ms / 1_000));
}
