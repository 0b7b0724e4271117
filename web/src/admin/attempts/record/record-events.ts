import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { sensorOf } from '@invigil/core/domain/violations/violation-types';
import { z } from 'zod';
import { clockText } from '../../../lib/format.ts';
import { changeText } from '../../../lib/question-labels.ts';
import { signalText } from '../../../lib/signal-labels.ts';
import { VERDICT_WORDS } from '../../parts/verdicts.tsx';
import { lastingText, signalLines } from './signal-lines.ts';

const Aspects = z.partialRecord(z.string(), z.string());
const DeviceDetails = z.object({ from: Aspects, to: Aspects });

type RecordEvent = ParticipantRecord['events'][number];

const ENDS: Partial<Record<string, string>> = {
  manual: 'Submitted by the candidate',
  auto: 'Ended when time ran out',
  dismissed: 'Dismissed',
  database: 'Ended by an administrator or the operator',
};

export function eventText({ kind, details }: Pick<RecordEvent, 'kind' | 'details'>): string {
  switch (kind) {
    case 'started':
      return 'Started';
    case 'resumed':
      return 'Returned and resumed';
    case 'device_changed':
      return deviceText(details);
    case 'flooded':
      return 'Sent far more requests than an assessment page does. They were refused';
    case 'signed_in':
      return 'Signed in again';
    case 'extended':
      return typeof details?.minutes === 'number'
        ? `${details.minutes} extra minute${details.minutes === 1 ? '' : 's'} given`
        : 'Extra time given';
    case 'message':
      return 'Message sent';
    case 'ending':
      return 'End requested by an administrator';
    case 'ended':
      return ENDS[String(details?.submissionType)] ?? 'Ended';
    case 'replaced':
      return details?.how === 'reinstate'
        ? `Reinstated with the remaining time${details.minutes ? ` and ${String(details.minutes)} min more` : ''}`
        : 'Another attempt allowed';
    default: {
      const words = kind.replaceAll('_', ' ');
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

const DEVICE_ASPECTS = [
  ['kind', 'Device', { phone: 'phone or tablet', computer: 'computer' }],
  ['browser', 'Browser', {}],
  ['ipv4', 'Network', {}],
  ['ipv6', 'Network', {}],
] as const;

/** 'Device changed from computer to phone or tablet. Browser changed from Chrome to Safari' */
function deviceText(details: RecordEvent['details']): string {
  const sides = DeviceDetails.safeParse(details).data;
  const changes = DEVICE_ASPECTS.flatMap(([aspect, name, words]) => {
    const [from, to] = [sides?.from[aspect], sides?.to[aspect]];
    if (from === undefined || to === undefined) return [];
    const named: Partial<Record<string, string>> = words;
    return [`${name} changed from ${named[from] ?? from} to ${named[to] ?? to}`];
  });
  return changes.length === 0 ? 'Device changed' : changes.join('. ');
}

const ACTIONS: Partial<Record<string, { words: string; kind?: string }>> = {
  'participant.extended': { words: 'Extra time given', kind: 'extended' },
  'participant.ended': { words: 'End requested by an administrator', kind: 'ending' },
  'participant.another_attempt': { words: 'Another attempt allowed', kind: 'replaced' },
  'participant.reinstated': { words: 'Reinstated', kind: 'replaced' },
  'participant.messaged': { words: 'Message sent', kind: 'message' },
  'participant.noted': { words: 'Note changed' },
  'participant.verdict_recorded': { words: 'Verdict recorded' },
  'participant.certificate_issued': { words: 'Certificate issued' },
  'participant.certificate_revoked': { words: 'Certificate revoked' },
  'participant.watched': { words: 'Camera watched' },
  'evidence.viewed': { words: 'Evidence viewed' },
  'evidence.deleted': { words: 'Evidence deleted' },
};

export const ENTRY_KINDS = [
  'violation',
  'page',
  'signal',
  'connection',
  'event',
  'answer',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export interface TimelineEntry {
  at: string;
  kind: EntryKind;
  words: string;
  lines: readonly string[];
  isEnd: boolean;
  by: { adminEmail: string; reason: string | null } | null;
  isFatal: boolean;
}

/**
 * Everything that happened, oldest first. An administrator's action and its event at the same time are
 * one entry.
 */
export function timelineOf(
  record: Pick<
    ParticipantRecord,
    | 'events'
    | 'actions'
    | 'messages'
    | 'violations'
    | 'endingViolationId'
    | 'connectionGaps'
    | 'questions'
  >,
): TimelineEntry[] {
  const { events, actions } = record;
  const left = new Set(actions);
  const unmatched = new Set(record.messages);
  const entries = events.map((event): TimelineEntry => {
    const action = actions.find(
      (one) => left.has(one) && one.at === event.at && ACTIONS[one.action]?.kind === event.kind,
    );
    if (action !== undefined) left.delete(action);
    const { at } = event;
    const isEnd = event.kind === 'ended';
    const message = [...unmatched].find((one) => event.kind === 'message' && one.at === at);
    if (message !== undefined) unmatched.delete(message);
    const lines = message === undefined || message.text === '' ? [] : [`“${message.text}”`];
    return {
      ...plain,
      at,
      kind: 'event',
      words: eventText(event),
      lines,
      isEnd,
      by: action ?? null,
    };
  });
  for (const action of left) {
    const words =
      action.verdict !== null
        ? `Verdict: ${VERDICT_WORDS[action.verdict]}`
        : action.change !== undefined
          ? `Rescored: ${changeText(action.change)}`
          : (ACTIONS[action.action]?.words ?? eventText({ kind: action.action, details: null }));
    entries.push({ ...plain, at: action.at, kind: 'event', words, lines: [], by: action });
  }
  entries.push(...detections(record), ...gaps(record.connectionGaps));
  entries.push(...saved(record.questions));
  // A violation precedes its consequences at the same time.
  const isEvent = ({ kind }: TimelineEntry) => Number(kind === 'event');
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || isEvent(a) - isEvent(b));
}

const plain = { isEnd: false, by: null, isFatal: false } as const;

function detections({
  violations,
  endingViolationId,
}: Pick<ParticipantRecord, 'violations' | 'endingViolationId'>): TimelineEntry[] {
  return violations.map((violation) => ({
    ...plain,
    at: violation.at,
    // The number of violations is that of face and voice; what the page reports has counts of its own.
    kind: !violation.counted
      ? 'signal'
      : sensorOf(violation.type) === 'page'
        ? 'page'
        : 'violation',
    words: `${signalText(violation.type)}${violation.counted ? ', counted' : ''}`,
    lines: signalLines(violation),
    isFatal: violation.id === endingViolationId,
  }));
}

function gaps(connectionGaps: ParticipantRecord['connectionGaps']): TimelineEntry[] {
  return connectionGaps.map(({ from, to }) => ({
    ...plain,
    at: from,
    kind: 'connection',
    words: `No contact for ${lastingText(Date.parse(to) - Date.parse(from))}`,
    lines: [],
  }));
}

function saved(questions: ParticipantRecord['questions']): TimelineEntry[] {
  return questions.flatMap(({ position, selectedOption, savedAt }) =>
    savedAt === null
      ? []
      : [
          {
            ...plain,
            at: savedAt,
            kind: 'answer' as const,
            words: `Question ${position} ${selectedOption === '' ? 'cleared' : 'answered'}`,
            lines: [],
          },
        ],
  );
}

/** Time since the start as `mm:ss`, or `h:mm:ss`; `null` before it. */
export function sinceStart(startedAt: string, at: string): string | null {
  const seconds = Math.floor((Date.parse(at) - Date.parse(startedAt)) / 1_000);
  return seconds >= 0 ? clockText(seconds * 1_000) : null;
}

/** Another attempt was allowed, or this one reinstated: that happens once. */
export function isReplaced({ events }: Pick<ParticipantRecord, 'events'>): boolean {
  return events.some(({ kind }) => kind === 'replaced');
}
