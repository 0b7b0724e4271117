import { z } from 'zod';
import { VERDICT_LIMITS } from '../domain/limits.ts';
import { endpoint, IdParams, Instant } from './endpoint.ts';
import { EvidenceSummary } from './evidence-views.ts';
import { Message } from './own-participant.ts';
import { Participant, Verdict } from './participants.ts';
import { Policy } from './policy.ts';
import { Violation } from './violation-views.ts';

/** What a reviewer decided about an attempt, and when. */
export const GivenVerdict = z.object({
  verdict: Verdict,
  note: z.string(),
  at: Instant,
  /** `Unknown` once the administrator was deleted. */
  adminEmail: z.string(),
});
export type GivenVerdict = z.infer<typeof GivenVerdict>;

/**
 * A sensor in this attempt: `on` it watched, `off` the policy did not ask for it, `not_applicable`
 * it was switched off for this person and can have raised nothing.
 */
export const SensorState = z.enum(['on', 'off', 'not_applicable']);
export type SensorState = z.infer<typeof SensorState>;

/** Everything an administrator needs to judge one attempt. */
export const ParticipantRecord = z.object({
  participant: Participant,
  deadlineAt: Instant,
  /** seconds since the browser was last heard of, while in progress */
  lastSeenAt: Instant,
  consent: z.object({ textVersion: z.string(), at: Instant, address: z.string() }).nullable(),
  deviceCheck: z.record(z.string(), z.unknown()).nullable(),
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
      correctAnswer: z.string(),
      selectedOption: z.string(),
      isFlagged: z.boolean(),
      isCorrect: z.boolean(),
      savedAt: Instant.nullable(),
    }),
  ),
  lateAnswerCount: z.int(),
  events: z.array(
    z.object({
      kind: z.string(),
      at: Instant,
      details: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  earlierAttempts: z.array(Participant),
  /** What administrators did to this attempt, and why; oldest first. */
  actions: z.array(
    z.object({
      at: Instant,
      action: z.string(),
      /** `Unknown` once the administrator was deleted. */
      adminEmail: z.string(),
      /** `Erased` once the person was. */
      reason: z.string().nullable(),
      /** What was decided, where the action is a verdict. */
      verdict: Verdict.nullable(),
    }),
  ),
  /** What was said to the candidate; each stands beside the event of its moment. */
  messages: z.array(Message),
  /** What sensors and page detected, in the order in which it happened. */
  violations: z.array(Violation),
  /** Stills that belong to no violation: one every so often, if the policy asks for them. */
  periodicEvidence: z.array(EvidenceSummary),
  /** Until when stills and level curves are kept; null while in progress. */
  evidenceKeptUntil: Instant.nullable(),
  /** When they were deleted; null while they are there, or where there were none. */
  evidenceDeletedAt: Instant.nullable(),
  /** Times in which nothing was heard of the browser. */
  connectionGaps: z.array(z.object({ from: Instant, to: Instant })),
  sensors: z.object({ camera: SensorState, microphone: SensorState, fullscreen: SensorState }),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  /** The device used last. */
  isPhone: z.boolean(),
  /** A computer was used in it at any time: its tab rule held. */
  computerUsed: z.boolean(),
  /** The one it ran under, without the sensors that were switched off for this person. */
  policy: Policy,
  verdict: GivenVerdict.nullable(),
  /** The stored result was changed outside of Invigil. Absent where it was not. */
  hasBrokenSeal: z.literal(true).optional(),
});
export type ParticipantRecord = z.infer<typeof ParticipantRecord>;

export const getParticipantRecord = endpoint({
  method: 'GET',
  path: '/api/participants/:id/record',
  access: ['admin'],
  summary: 'One attempt in full: answers against the key, time line, violations, earlier attempts',
  params: IdParams,
  responses: { 200: ParticipantRecord },
  errors: ['NOT_FOUND'],
});

export const giveVerdict = endpoint({
  method: 'PUT',
  path: '/api/participants/:id/verdict',
  access: ['admin'],
  summary: "A reviewer's verdict on an ended attempt; can be changed; audited each time",
  params: IdParams,
  body: z.object({
    verdict: Verdict,
    note: z
      .string()
      .trim()
      .max(
        VERDICT_LIMITS.noteMaxCharacters,
        `At most ${VERDICT_LIMITS.noteMaxCharacters.toLocaleString('en-GB')} characters`,
      )
      .default(''),
  }),
  responses: { 200: GivenVerdict },
  errors: ['NOT_FOUND', 'STILL_RUNNING'],
});
