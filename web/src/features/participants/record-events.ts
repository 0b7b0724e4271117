import type { ParticipantRecord } from '@invigil/core/contract/participants';

type RecordEvent = ParticipantRecord['events'][number];

const ENDS: Partial<Record<string, string>> = {
  manual: 'Submitted by the participant',
  auto: 'Ended when the time was up',
  dismissed: 'Dismissed',
  database: 'Ended by the server',
};

/** One event as a sentence. A kind without words of its own is shown as its name. */
export function eventWords({ kind, details }: Pick<RecordEvent, 'kind' | 'details'>): string {
  switch (kind) {
    case 'started':
      return 'Started';
    case 'resumed':
      return 'Came back and resumed';
    case 'signed_in':
      return 'Signed in again';
    case 'extended':
      return typeof details?.minutes === 'number'
        ? `Given ${details.minutes} more minute${details.minutes === 1 ? '' : 's'}`
        : 'Given more time';
    case 'ending':
      return 'Told to end by an administrator';
    case 'ended':
      return ENDS[String(details?.submissionType)] ?? 'Ended';
    case 'replaced':
      return details?.how === 'reinstate'
        ? 'Reinstated: the rest of the time is allowed'
        : 'Another attempt allowed';
    default: {
      const words = kind.replaceAll('_', ' ');
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

/** Time since the start as `mm:ss`, or `h:mm:ss`; `null` before it. */
export function sinceStart(startedAt: string, at: string): string | null {
  const seconds = Math.floor((Date.parse(at) - Date.parse(startedAt)) / 1_000);
  if (!(seconds >= 0)) return null;
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

/** Told to end, and not ended yet. */
export function isEnding({ participant, events }: ParticipantRecord): boolean {
  return participant.status === 'in_progress' && events.some(({ kind }) => kind === 'ending');
}

/** Another attempt was allowed, or this one reinstated: that happens once. */
export function isReplaced({ events }: Pick<ParticipantRecord, 'events'>): boolean {
  return events.some(({ kind }) => kind === 'replaced');
}
