import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { sensorOf } from '@invigil/core/domain/violations/violation-types';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { clockText } from '../../../lib/format.ts';
import { changeText } from '../../../lib/question-labels.ts';
import { signalText } from '../../../lib/signal-labels.ts';
import { VERDICT_WORDS } from '../../parts/verdicts.tsx';
import { lastingText, signalLines } from './signal-lines.ts';

const Aspects = z.partialRecord(z.string(), z.string());
const DeviceDetails = z.object({ from: Aspects, to: Aspects });

type RecordEvent = ParticipantRecord['events'][number];

const ENDS: Partial<Record<string, () => string>> = {
  manual: () => t('record.end.submitted', 'Submitted by the candidate'),
  auto: () => t('record.end.timeOver', 'Ended when time ran out'),
  dismissed: () =>
    t(/* the attempt was ended under the rules */ 'record.end.dismissed', 'Dismissed'),
  database: () => t('record.end.byAdministrator', 'Ended by an administrator or the operator'),
};

export function eventText({ kind, details }: Pick<RecordEvent, 'kind' | 'details'>): string {
  switch (kind) {
    case 'started':
      return t(/* the candidate has begun the assessment */ 'record.event.started', 'Started');
    case 'resumed':
      return t('record.event.resumed', 'Returned and resumed');
    case 'device_changed':
      return deviceText(details);
    case 'flooded':
      return t(
        'record.event.flooded',
        'Sent far more requests than an assessment page does. They were refused',
      );
    case 'limit_reached':
      return t(/* of violations that are allowed */ 'record.event.limitReached', 'Limit reached');
    case 'signed_in':
      return t('record.event.signedIn', 'Signed in again');
    case 'extended':
      return typeof details?.minutes === 'number'
        ? t(
            'record.event.minutesGiven',
            '{count, plural, one {# extra minute given} other {# extra minutes given}}',
            { count: details.minutes },
          )
        : extraTimeText();
    case 'message':
      return messageText();
    case 'paused':
      return pausedText();
    case 'clock_resumed':
      return resumedText();
    case 'break_began':
      return t(
        /* a candidate, in the course of an attempt */ 'record.event.breakBegan',
        'Break taken',
      );
    case 'break_ended':
      return t(/* of a candidate */ 'record.event.breakEnded', 'Break ended');
    case 'help_asked':
      return t(/* the candidate did */ 'record.event.helpAsked', 'Asked for help');
    case 'help_withdrawn':
      return t(
        /* the candidate did, without an answer */ 'record.event.helpWithdrawn',
        'No longer asked for help',
      );
    case 'help_answered':
      return t('record.event.helpAnswered', 'The call for help was answered');
    case 'ending':
      return endRequestedText();
    case 'ended':
      return (
        ENDS[String(details?.submissionType)]?.() ??
        t(/* the attempt has ended */ 'record.event.ended', 'Ended')
      );
    case 'retaken':
      return t(
        /* by the rule of the assessment */ 'record.event.retaken',
        'Another attempt of the person began or counts instead',
      );
    case 'counts':
      return t(
        /* by the rule of the assessment: the best, for example */ 'record.event.counts',
        'Counts again, by the rule for several attempts',
      );
    case 'replaced':
      if (details?.how !== 'reinstate') return anotherAttemptText();
      return details.minutes
        ? t(
            /* a dismissed attempt goes on */ 'record.event.reinstatedMore',
            'Reinstated with the remaining time and {minutes} min more',
            { minutes: String(details.minutes) },
          )
        : t(
            /* a dismissed attempt goes on */ 'record.event.reinstated',
            'Reinstated with the remaining time',
          );
    default: {
      const words = kind.replaceAll('_', ' ');
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

const extraTimeText = () => t('record.event.extraTime', 'Extra time given');
const pausedText = () => t(/* the time of a candidate */ 'record.event.paused', 'Time stopped');
const resumedText = () =>
  t(/* the time of a candidate, after a pause */ 'record.event.clockResumed', 'Time went on');
const messageText = () => t('record.event.message', 'Message sent');
const endRequestedText = () => t('record.event.endRequested', 'End requested by an administrator');
const anotherAttemptText = () => t('record.event.anotherAttempt', 'Another attempt allowed');

type Sides = { from: string; to: string };

function kindChangeText(sides: Sides): string {
  switch (sides.to) {
    case 'phone':
      return t('record.device.toPhone', 'Device changed from computer to phone or tablet');
    case 'computer':
      return t('record.device.toComputer', 'Device changed from phone or tablet to computer');
    default:
      return t('record.device.kind', 'Device changed from {from} to {to}', sides);
  }
}

const networkChangeText = (sides: Sides) =>
  t(
    /* from, to: network addresses */ 'record.device.network',
    'Network changed from {from} to {to}',
    sides,
  );

const DEVICE_ASPECTS: Record<string, (sides: Sides) => string> = {
  kind: kindChangeText,
  browser: (sides) =>
    t(
      /* from, to: names of browsers */ 'record.device.browser',
      'Browser changed from {from} to {to}',
      sides,
    ),
  ipv4: networkChangeText,
  ipv6: networkChangeText,
};

/** 'Device changed from computer to phone or tablet. Browser changed from Chrome to Safari' */
function deviceText(details: RecordEvent['details']): string {
  const sides = DeviceDetails.safeParse(details).data;
  const changes = Object.entries(DEVICE_ASPECTS).flatMap(([aspect, textOf]) => {
    const [from, to] = [sides?.from[aspect], sides?.to[aspect]];
    return from === undefined || to === undefined ? [] : [textOf({ from, to })];
  });
  if (changes.length === 0) return t('record.device.changed', 'Device changed');
  return changes.reduce((first, next) =>
    t(/* two sentences */ 'record.device.next', '{first}. {next}', { first, next }),
  );
}

const ACTIONS: Partial<Record<string, { words: () => string; kind?: string }>> = {
  'participant.extended': {
    words: extraTimeText,
    kind: 'extended',
  },
  'participant.paused': { words: pausedText, kind: 'paused' },
  'participant.resumed': { words: resumedText, kind: 'clock_resumed' },
  'participant.ended': {
    words: endRequestedText,
    kind: 'ending',
  },
  'participant.another_attempt': {
    words: anotherAttemptText,
    kind: 'replaced',
  },
  'participant.reinstated': {
    words: () => t(/* a dismissed attempt goes on */ 'record.action.reinstated', 'Reinstated'),
    kind: 'replaced',
  },
  'participant.messaged': { words: messageText, kind: 'message' },
  'participant.noted': { words: () => t('record.action.noteChanged', 'Note changed') },
  'participant.verdict_recorded': {
    words: () => t('record.action.verdictRecorded', 'Verdict recorded'),
  },
  'participant.certificate_issued': {
    words: () => t('record.action.certificateIssued', 'Certificate issued'),
  },
  'participant.certificate_revoked': {
    words: () => t('record.action.certificateRevoked', 'Certificate revoked'),
  },
  'participant.watched': { words: () => t('record.action.cameraWatched', 'Camera watched') },
  'evidence.viewed': { words: () => t('record.action.evidenceViewed', 'Evidence viewed') },
  'evidence.deleted': { words: () => t('record.action.evidenceDeleted', 'Evidence deleted') },
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
    const lines =
      message === undefined || message.text === ''
        ? []
        : [
            t(/* a message that was sent, in quotation marks */ 'record.event.quoted', '“{text}”', {
              text: message.text,
            }),
          ];
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
        ? t(
            /* of a reviewer. verdict: “No concern” */ 'record.action.verdict',
            'Verdict: {verdict}',
            { verdict: VERDICT_WORDS[action.verdict]() },
          )
        : action.change !== undefined
          ? t(/* change: “12 to 13 of 25” */ 'record.action.rescored', 'Rescored: {change}', {
              change: changeText(action.change),
            })
          : (ACTIONS[action.action]?.words() ?? eventText({ kind: action.action, details: null }));
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
    words: violation.counted
      ? t(/* as a violation */ 'record.signal.counted', '{signal}, counted', {
          signal: signalText(violation.type),
        })
      : signalText(violation.type),
    lines: signalLines(violation),
    isFatal: violation.id === endingViolationId,
  }));
}

function gaps(connectionGaps: ParticipantRecord['connectionGaps']): TimelineEntry[] {
  return connectionGaps.map(({ from, to }) => ({
    ...plain,
    at: from,
    kind: 'connection',
    words: t(/* with the candidate’s page */ 'record.gap', 'No contact for {duration}', {
      duration: lastingText(Date.parse(to) - Date.parse(from)),
    }),
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
            words:
              selectedOption === ''
                ? t(
                    /* its answer was removed */ 'record.answer.cleared',
                    'Question {position} cleared',
                    {
                      position,
                    },
                  )
                : t('record.answer.answered', 'Question {position} answered', { position }),
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

/** The same in words: `before` the start. */
export const sinceText = (startedAt: string, at: string): string =>
  sinceStart(startedAt, at) ??
  t(/* in the place of the time since the start */ 'record.timeline.before', 'before');

/** Another attempt was allowed, or this one reinstated: that happens once. */
export function isReplaced({ events }: Pick<ParticipantRecord, 'events'>): boolean {
  return events.some(({ kind }) => kind === 'replaced');
}
