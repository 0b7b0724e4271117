import { z } from 'zod';
import { COUNTING } from '../../domain/retakes.ts';
import { Policy } from '../assessments/policy.ts';
import { KeyedDefinition } from '../assessments/question-definition.ts';
import { ScoreChange } from '../assessments/questions.ts';
import { Outcome } from '../assessments/result-rules.ts';
import { PersonEvidence } from '../attempts/evidence-views.ts';
import { Message } from '../attempts/own-participant.ts';
import { Violation } from '../attempts/violation-views.ts';
import {
  classified,
  KeyText,
  OptionalPersonText,
  OptionalPoints,
  PersonText,
} from '../definition/classified.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { LanguageTag } from '../definition/language-tag.ts';
import { IssuedCertificate } from './certificates.ts';
import { NoteText, Participant, Verdict } from './participants.ts';

export const GivenVerdict = z.object({
  verdict: Verdict,
  note: z.string(),
  at: Instant,
  /** `Unknown` once the administrator was deleted. */
  adminEmail: z.string(),
});
export type GivenVerdict = z.infer<typeof GivenVerdict>;

/**
 * A sensor in this attempt: `on`, `off` where the policy did not ask for it, `not_applicable` where it
 * was switched off for this person and cannot have raised anything.
 */
export const SensorState = z.enum(['on', 'off', 'not_applicable']);
export type SensorState = z.infer<typeof SensorState>;

/** Both sides of a change of device. */
const SeenDevice = z.object({
  kind: z.string().optional(),
  browser: z.string().optional(),
  ipv4: OptionalPersonText,
  ipv6: OptionalPersonText,
});
const Side = z.union([SeenDevice, z.unknown()]).optional();
const EventDetails = z.looseObject({ from: Side, to: Side });

export const ParticipantRecord = z.object({
  participant: Participant,
  deadlineAt: Instant,
  /** The last request of the browser. */
  lastSeenAt: Instant,
  consent: z
    .object({
      textVersion: z.string(),
      /** The one in which it was read; absent: English. */
      language: LanguageTag.optional(),
      at: Instant,
      address: PersonText,
    })
    .nullable(),
  deviceCheck: classified(['person'], z.record(z.string(), z.unknown()).nullable(), null),
  feedback: z
    .object({ emoji: z.string(), text: z.string().nullable(), skipped: z.boolean(), at: Instant })
    .nullable(),
  note: z.string(),
  questions: z.array(
    z.object({
      position: z.int(),
      questionId: z.string(),
      question: z.string(),
      options: z.array(z.string()),
      correctAnswer: KeyText,
      selectedOption: z.string(),
      /** Rows of an answer to match or to order: an item, what it was given ('' is nothing), what is right. */
      rows: z.array(z.object({ item: z.string(), given: z.string(), right: KeyText })).optional(),
      isFlagged: z.boolean(),
      isCorrect: z.boolean(),
      savedAt: Instant.nullable(),
      /** Present if questions have points. */
      points: OptionalPoints,
      maxPoints: OptionalPoints,
      /** The question with its key, if it is more than plain texts with one right option. */
      definition: KeyedDefinition.optional(),
      /** The decision of a rescoring for everyone, besides the key. */
      correction: z.enum(['full_points', 'left_out', 'also_right']).optional(),
    }),
  ),
  lateAnswerCount: z.int(),
  /** Results that the candidate was shown, oldest first; absent: nothing was released. */
  releases: classified(
    ['score'],
    z
      .array(
        z.object({
          at: Instant,
          /** null: by the rule of the assessment */
          by: z.string().nullable(),
          percent: z.number().nullable(),
          outcome: Outcome.optional(),
          /** When the candidate first opened it, and first with right answers; absent: not yet. */
          seenAt: Instant.optional(),
          keySeenAt: Instant.optional(),
          /** Shown no more from then on; absent: it counts. */
          takenBackAt: Instant.optional(),
        }),
      )
      .optional(),
    undefined,
  ),
  /** Oldest first; absent: none was issued. */
  certificates: classified(['person', 'score'], z.array(IssuedCertificate).optional(), undefined),
  events: z.array(
    z.object({
      kind: z.string(),
      at: Instant,
      details: EventDetails.nullable(),
    }),
  ),
  earlierAttempts: z.array(Participant),
  /** Attempts after this one, oldest first; absent: none. */
  laterAttempts: z.array(Participant).optional(),
  /** It was taken again by the rule of the assessment: which attempt counts by it. */
  retakes: z.object({ counts: z.enum(COUNTING), counting: z.string().nullable() }).optional(),
  /** Actions of administrators on this attempt, with their reasons; oldest first. */
  actions: z.array(
    z.object({
      at: Instant,
      action: z.string(),
      /** `Unknown` once the administrator was deleted. */
      adminEmail: z.string(),
      /** `Erased` once the person was. */
      reason: z.string().nullable(),
      /** The decision, where the action is a verdict. */
      verdict: Verdict.nullable(),
      /** How the result changed, where the action is a rescoring. */
      change: ScoreChange.omit({ participantId: true, userEmail: true }).optional(),
    }),
  ),
  /** Messages to the candidate; each has an event on the timeline. */
  messages: classified(['person'], z.array(Message), []),
  /** Events that sensors and page detected, in the order in which they happened. */
  violations: z.array(Violation),
  /** The one that reached a limit of the policy, as the candidate is told; absent: it ended otherwise. */
  endingViolationId: z.string().optional(),
  /** Stills that belong to no violation: at intervals, if the policy asks for them. */
  periodicEvidence: PersonEvidence,
  /** When stills and level curves will be deleted; null while in progress. */
  evidenceKeptUntil: Instant.nullable(),
  /** When they were deleted; null while they exist, or where there were none. */
  evidenceDeletedAt: Instant.nullable(),
  /** Periods without any request of the browser. */
  connectionGaps: z.array(z.object({ from: Instant, to: Instant })),
  sensors: z.object({ camera: SensorState, microphone: SensorState, fullscreen: SensorState }),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  /** The device used last. */
  isPhone: z.boolean(),
  /** A computer was used at any time in it: its tab rule applied. */
  computerUsed: z.boolean(),
  /** The policy it ran under, without the sensors that were switched off for this person. */
  policy: Policy,
  verdict: GivenVerdict.nullable(),
  /** The stored result was changed outside of Invigil; absent otherwise. */
  hasBrokenSeal: z.literal(true).optional(),
});
export type ParticipantRecord = z.infer<typeof ParticipantRecord>;

export const getParticipantRecord = endpoint(
  'GET /api/participants/:id/record',
  ['participant: records.see'],
  {
    audit: 'participant.viewed',
    summary: 'One attempt in full: answers and key, timeline, violations, earlier attempts',
    responses: { 200: ParticipantRecord },
  },
);

export const giveVerdict = endpoint(
  'PUT /api/participants/:id/verdict',
  ['participant: verdicts.give'],
  {
    audit: 'participant.verdict_recorded',
    summary: "A reviewer's verdict on an ended attempt; can be changed; audited each time",
    body: z.object({
      verdict: Verdict,
      note: NoteText.default(''),
      /** The verdict as it was read; another one that is stored is STALE. */
      before: z.object({ verdict: Verdict, note: NoteText }).nullable().optional(),
    }),
    responses: { 200: GivenVerdict },
    errors: ['STILL_RUNNING', 'STALE'],
  },
);
