import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import { COUNTING_TYPES, FLAG_TYPES } from '../../domain/violations/violation-types.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { Summary } from './own-participant.ts';
import { noteViolation } from './violations.ts';

/** An attempt after its end, as its candidate may see it: why it ended, the receipt, what was detected. */
export const EndedAttempt = z.object({
  participantId: z.string(),
  title: z.string(),
  submittedAt: Instant,
  /** The institution's, by its IANA name. */
  timeZone: z.string().optional(),
  summary: Summary,
  receipt: z.object({ id: z.string(), signed: z.string() }),
  /** The violation that reached a limit of the policy, and the limit; null: the attempt ended otherwise. */
  ending: z
    .object({
      type: z.enum(COUNTING_TYPES),
      durationMs: z.int().nullable(),
      limit: z.int(),
    })
    .nullable(),
  /** An administrator ended it: what they wrote to the candidate with the end. */
  message: z.string().optional(),
  /** Events that the page and the server detected, newest first, without those that need no reviewer. */
  detected: z.array(
    z.object({
      id: z.string(),
      type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
      at: Instant,
      durationMs: z.int().nullable(),
      counted: z.boolean(),
      note: z.string().nullable(),
    }),
  ),
  /**
   * Whether the result can be read, or when it will be (`at`), or until when it could be (`closed`, `at`);
   * absent: it is communicated separately.
   */
  result: z
    .object({ state: z.enum(['released', 'at', 'later', 'closed']), at: Instant.optional() })
    .optional(),
  /** The assessment may be taken several times: how many attempts are left, and from when; absent: once only. */
  retakes: z.object({ left: z.int(), from: Instant.optional() }).optional(),
  /** Lets the candidate add notes without being signed in; null: notes are closed. */
  notes: z.object({ token: z.string(), until: Instant }).nullable(),
});
export type EndedAttempt = z.infer<typeof EndedAttempt>;

export const getEndedAttempt = endpoint('GET /api/participants/:id/ended', ['participant'], {
  summary: 'The candidate’s own attempt after its end: reason, receipt, what was detected',
  responses: { 200: EndedAttempt },
  errors: ['STILL_RUNNING', 'CHANGED_OUTSIDE'],
  cost: 4,
});

/** Stores the note of a candidate whose session has ended with the attempt. */
export const noteAfterEnd = endpoint('PUT /api/ended-attempts/violations/:id/note', 'public', {
  audit: { none: 'of candidates, in batches or for their own attempt alone' },
  summary:
    'The candidate’s note with the token of an ended attempt, until ten minutes after the end',
  body: noteViolation.body.extend({ participantId: Id, token: z.string().max(100) }),
  responses: noteViolation.responses,
  errors: ['NOTE_CLOSED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 2,
  cost: 4,
});
