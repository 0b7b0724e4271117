import type { ParticipantRecord } from '@invigil/core/contract/participants';

type RecordEvent = ParticipantRecord['events'][number];

const ENDS: Partial<Record<string, string>> = {
  manual: 'Submitted by the participant',
  auto: 'Ended when the time was up',
  dismissed: 'Dismissed',
  database: 'Ended by an administrator or the operator',
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
    case 'message':
      return 'Message sent';
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

const DEEDS: Partial<Record<string, { words: string; kind?: string }>> = {
  'participant.extended': { words: 'Given more time', kind: 'extended' },
  'participant.ended': { words: 'Told to end by an administrator', kind: 'ending' },
  'participant.another_attempt': { words: 'Another attempt allowed', kind: 'replaced' },
  'participant.reinstated': { words: 'Reinstated', kind: 'replaced' },
  'participant.messaged': { words: 'Message sent', kind: 'message' },
  'participant.noted': { words: 'Note changed' },
};

export interface TimelineEntry {
  at: string;
  words: string;
  isEnd: boolean;
  /** Who did it and why, where an administrator did. */
  by: { adminEmail: string; reason: string | null } | null;
}

/**
 * Everything that happened, oldest first. A deed of an administrator and the event that it wrote in
 * the same moment are one entry.
 */
export function timelineOf({ events, deeds }: Pick<ParticipantRecord, 'events' | 'deeds'>) {
  const left = new Set(deeds);
  const entries = events.map((event): TimelineEntry => {
    const deed = deeds.find(
      (one) => left.has(one) && one.at === event.at && DEEDS[one.action]?.kind === event.kind,
    );
    if (deed !== undefined) left.delete(deed);
    const { at, kind } = event;
    return { at, words: eventWords(event), isEnd: kind === 'ended', by: deed ?? null };
  });
  for (const deed of left) {
    const words = DEEDS[deed.action]?.words ?? eventWords({ kind: deed.action, details: null });
    entries.push({ at: deed.at, words, isEnd: false, by: deed });
  }
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
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
