import { z } from 'zod';
import { REQUEST_LIMITS, VIOLATION_LIMITS } from '../domain/limits.ts';
import { COUNTING_TYPES, FLAG_TYPES, LIFECYCLE_TYPES } from '../domain/violation-types.ts';
import { endpoint, Id, IdParams } from './endpoint.ts';
import { AttemptStatus } from './own-participant.ts';

/** What a report did. A known `id` gets the answer of the first time. */
export const ViolationAnswer = z.object({
  id: z.string(),
  counted: z.boolean(),
  violationCount: z.int(),
  /** How many more of this type may happen before one ends the attempt; null: it never does. */
  remaining: z.int().nullable(),
  status: AttemptStatus,
});
export type ViolationAnswer = z.infer<typeof ViolationAnswer>;

export const reportViolation = endpoint({
  method: 'POST',
  path: '/api/violations',
  access: ['participant'],
  summary: 'Something a sensor or the page noticed; the server alone counts and dismisses',
  body: z.object({
    participantId: Id,
    violationType: z.enum(
      [...COUNTING_TYPES, ...FLAG_TYPES, ...LIFECYCLE_TYPES],
      'Unknown type of violation',
    ),
    notes: z
      .string()
      .max(
        VIOLATION_LIMITS.notesMaxCharacters,
        `At most ${VIOLATION_LIMITS.notesMaxCharacters.toLocaleString('en-GB')} characters`,
      )
      .nullable()
      .optional(),
    /** Made by the browser, so that sending again counts once. */
    id: Id.optional(),
    /** Milliseconds since it happened. */
    ageMs: z.int().min(0).max(VIOLATION_LIMITS.ageMaxMs).optional(),
    /** Milliseconds that it lasted, of a page that was hidden. */
    durationMs: z.int().min(0).max(VIOLATION_LIMITS.ageMaxMs).optional(),
    /** Which detector judged, such as `model` or `basic`; reviewers see it. */
    engine: z
      .string()
      .max(VIOLATION_LIMITS.engineMaxCharacters)
      .regex(/^[\w .,:;()+/-]+$/, 'Not the name of an engine')
      .optional(),
  }),
  responses: { 201: ViolationAnswer, 200: ViolationAnswer },
  errors: ['NOT_FOUND', 'ATTEMPT_CLOSED', 'SESSION_REPLACED', 'TOO_MANY_VIOLATIONS'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 4,
  cost: 4,
});

export const countViolation = endpoint({
  method: 'POST',
  path: '/api/participants/:id/violation',
  access: ['participant'],
  summary: 'Counts this call; what is shown is the larger of calls and counted violations',
  params: IdParams,
  responses: { 200: z.object({ violationCount: z.int() }) },
  errors: ['NOT_FOUND', 'ATTEMPT_CLOSED', 'SESSION_REPLACED', 'TOO_MANY_VIOLATIONS'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
  cost: 4,
});

/** The candidate's own words about something that was detected; they stay with it. */
export const noteViolation = endpoint({
  method: 'PUT',
  path: '/api/violations/:id/note',
  access: ['participant'],
  summary: 'A note of the candidate on an own violation, until ten minutes after the end',
  params: IdParams,
  body: z.object({
    note: z
      .string()
      .trim()
      .max(
        VIOLATION_LIMITS.candidateNoteMaxCharacters,
        `At most ${VIOLATION_LIMITS.candidateNoteMaxCharacters.toLocaleString('en-GB')} characters`,
      ),
  }),
  responses: { 200: z.object({ id: z.string(), note: z.string() }) },
  errors: ['NOT_FOUND', 'NOTE_CLOSED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 2,
  cost: 4,
});
