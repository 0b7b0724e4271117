import { z } from 'zod';
import { REQUEST_LIMITS, VIOLATION_LIMITS } from '../../domain/limits.ts';
import {
  COUNTING_TYPES,
  FLAG_TYPES,
  LIFECYCLE_TYPES,
} from '../../domain/violations/violation-types.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';
import { AttemptStatus } from './own-participant.ts';

/** The effect of a report. A known `id` gets the first response again. */
export const ViolationAnswer = z.object({
  id: z.string(),
  counted: z.boolean(),
  violationCount: z.int(),
  /** How many more of this type may happen before one ends the attempt; null: it never does. */
  remaining: z.int().nullable(),
  status: AttemptStatus,
});
export type ViolationAnswer = z.infer<typeof ViolationAnswer>;

export const reportViolation = endpoint('POST /api/violations', ['participant'], {
  summary: 'Report what a sensor or the page detected; the server alone counts and dismisses',
  body: z.object({
    participantId: Id,
    violationType: z.enum([...COUNTING_TYPES, ...FLAG_TYPES, ...LIFECYCLE_TYPES], {
      error: () => t('field.violationType', 'Unknown type of violation'),
    }),
    notes: z
      .string()
      .max(
        VIOLATION_LIMITS.notesMaxCharacters,
        atMostCharacters(VIOLATION_LIMITS.notesMaxCharacters),
      )
      .nullable()
      .optional(),
    /** Idempotency key, created by the browser. */
    id: Id.optional(),
    /** Milliseconds since it happened. */
    ageMs: z.int().min(0).max(VIOLATION_LIMITS.ageMaxMs).optional(),
    /** Milliseconds it lasted, for a page that was hidden. */
    durationMs: z.int().min(0).max(VIOLATION_LIMITS.ageMaxMs).optional(),
    /** The page could not show a warning at that moment: it is recorded and does not count. */
    unseen: z.boolean().optional(),
    /** The detector that classified it, such as `model` or `basic`; reviewers see it. */
    engine: z
      .string()
      .max(VIOLATION_LIMITS.engineMaxCharacters)
      .regex(/^[\w .,:;()+/-]+$/, {
        error: () =>
          t(
            /* the program that detects faces and voices */ 'field.engine',
            'Not the name of an engine',
          ),
      })
      .optional(),
  }),
  responses: { 201: ViolationAnswer, 200: ViolationAnswer },
  errors: ['NOT_FOUND', 'ATTEMPT_CLOSED', 'SESSION_REPLACED', 'TOO_MANY_VIOLATIONS'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 4,
  cost: 4,
});

export const countViolation = endpoint('POST /api/participants/:id/violation', ['participant'], {
  summary: 'Count one violation; what is shown is the larger of calls and counted violations',
  responses: { 200: z.object({ violationCount: z.int() }) },
  errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED', 'TOO_MANY_VIOLATIONS'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
  cost: 4,
});

/** The candidate's own note about something that was detected, stored with it. */
export const noteViolation = endpoint('PUT /api/violations/:id/note', ['participant'], {
  summary: 'The candidate’s note on their own violation, until ten minutes after the end',
  body: z.object({
    note: z
      .string()
      .trim()
      .max(
        VIOLATION_LIMITS.candidateNoteMaxCharacters,
        atMostCharacters(VIOLATION_LIMITS.candidateNoteMaxCharacters),
      ),
  }),
  responses: { 200: z.object({ id: z.string(), note: z.string() }) },
  errors: ['NOTE_CLOSED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 2,
  cost: 4,
});
