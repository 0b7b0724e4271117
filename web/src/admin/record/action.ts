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

export const MINUTES_PROBLEM = 'Whole minutes, 1 to 180';

/** 1 to 180 whole minutes, or `null`. */
export function minutesOf(typed: string): number | null {
  const minutes = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  return minutes >= 1 && minutes <= 180 ? minutes : null;
}

/** Seconds left when the attempt ended. */
export function secondsLeftOf({ participant, deadlineAt }: ParticipantRecord): number {
  if (participant.submittedAt === null) return 0;
  const ms = Date.parse(deadlineAt) - Date.parse(participant.submittedAt);
  return Math.max(0, Math.floor(ms / 1_000));
}
