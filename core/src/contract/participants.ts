import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/limits.ts';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';
import { Policy } from './policy.ts';

export const AttemptStatus = z.enum(['in_progress', 'completed', 'dismissed']);
export const SubmissionType = z.enum(['manual', 'auto', 'dismissed', 'database']);

/** A reviewer's judgement of an ended attempt; the candidate never sees it. */
export const Verdict = z.enum(['no_concern', 'talk', 'breach'], 'Choose a verdict');
export type Verdict = z.infer<typeof Verdict>;

/** An attempt as administrators see it. While in progress `score` is null and `timeSpent` runs. */
export const Participant = z.object({
  id: z.string(),
  userId: z.string(),
  quizId: z.string(),
  userEmail: z.string().nullable(),
  quizTitle: z.string(),
  status: AttemptStatus,
  score: z.int().nullable(),
  totalMarks: z.int(),
  violationCount: z.int(),
  /** The combined limit of the policy this attempt runs under; null: nothing ends by itself. */
  violationLimit: z.int().nullable(),
  /** seconds */
  timeSpent: z.int(),
  startedAt: Instant,
  submittedAt: Instant.nullable(),
  submissionType: SubmissionType.nullable(),
  attempt: z.int(),
  answeredCount: z.int(),
  /** What a reviewer decided; null: nobody has yet. */
  verdict: Verdict.nullable(),
  /** Ended with something to look at, and nobody has judged it yet. */
  toReview: z.boolean(),
});
export type Participant = z.infer<typeof Participant>;

/** An attempt as its candidate sees it: no score, no marks, ever. */
export const OwnParticipant = z.object({
  id: z.string(),
  userId: z.string(),
  quizId: z.string(),
  status: AttemptStatus,
  startedAt: Instant,
  deadlineAt: Instant,
  /** milliseconds until the deadline at `serverTime`, never negative */
  remainingMs: z.int(),
  serverTime: Instant,
  totalQuestions: z.int(),
  answeredCount: z.int(),
  violationCount: z.int(),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  policy: Policy,
  submittedAt: Instant.nullable(),
  /** seconds */
  timeSpent: z.int(),
  submissionType: SubmissionType.nullable(),
});
export type OwnParticipant = z.infer<typeof OwnParticipant>;

export const PARTICIPANT_SORTS = [
  'startedAt',
  'submittedAt',
  'userEmail',
  'quizTitle',
  'score',
  'status',
  'timeSpent',
  'violationCount',
] as const;

export const listParticipants = endpoint({
  method: 'GET',
  path: '/api/participants',
  access: ['admin', 'participant'],
  summary:
    'Started attempts, current ones only; a participant sees the own row. Total in X-Total-Count',
  query: z.object({
    userId: Id.optional(),
    quizId: Id.optional(),
    status: AttemptStatus.optional(),
    search: z.string().trim().max(320).optional(),
    /** `open`: only attempts to review; a verdict: only those judged so. */
    review: z.enum(['open', ...Verdict.options]).optional(),
    sort: z.enum(PARTICIPANT_SORTS).default('startedAt'),
    order: z.enum(['asc', 'desc']).optional(),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(REQUEST_LIMITS.listRowsMax)
      .default(REQUEST_LIMITS.listRowsMax),
    offset: z.coerce.number().int().min(0).max(100_000_000).default(0),
    asOf: Instant.optional(),
  }),
  responses: { 200: z.union([z.array(Participant), z.array(OwnParticipant)]) },
  errors: [],
});

export const getParticipant = endpoint({
  method: 'GET',
  path: '/api/participants/:id',
  access: ['admin', 'participant'],
  summary: 'One attempt; a participant can read only the own one',
  params: IdParams,
  responses: { 200: z.union([Participant, OwnParticipant]) },
  errors: ['NOT_FOUND'],
});

export const startParticipant = endpoint({
  method: 'POST',
  path: '/api/participants',
  access: ['participant'],
  summary: 'Start the attempt, or resume the one in progress',
  body: z.object({
    userId: Id.optional(),
    quizId: Id.optional(),
    // Accepted for compatibility with the seed and never believed (product 4).
    status: z.unknown().optional(),
    timeSpent: z.unknown().optional(),
    startedAt: z.unknown().optional(),
    consent: z.object({ textVersion: z.string().min(1).max(50) }).optional(),
    /** Whether the page runs on a phone or tablet: an iPad calls itself a Macintosh in its requests. */
    mobile: z.boolean().optional(),
    deviceCheck: z
      .record(z.string().max(50), z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
      .refine((check) => Object.keys(check).length <= 50, 'At most 50 entries')
      .optional(),
  }),
  responses: { 201: OwnParticipant, 200: OwnParticipant },
  errors: ['NOT_FOUND', 'QUIZ_INACTIVE', 'ALREADY_COMPLETED', 'NO_QUESTIONS', 'SESSION_REPLACED'],
});

export const Summary = z.object({
  status: AttemptStatus,
  timeSpent: z.int(),
  answeredCount: z.int(),
  totalQuestions: z.int(),
  violationCount: z.int(),
  submissionType: SubmissionType,
});
export type Summary = z.infer<typeof Summary>;

/** How an attempt stands: what a heartbeat answers, and what the event stream tells. */
export const AttemptNews = z.object({
  status: AttemptStatus,
  submissionType: SubmissionType.nullable(),
  remainingMs: z.int(),
  deadlineAt: Instant,
  violationCount: z.int(),
  /** Messages from administrators so far; when it has grown there is something to read. */
  messageCount: z.int(),
  /** An administrator looks at the camera picture: one thumbnail a second is asked for. */
  watched: z.boolean().optional(),
});
export type AttemptNews = z.infer<typeof AttemptNews>;

export const heartbeat = endpoint({
  method: 'POST',
  path: '/api/participants/:id/heartbeat',
  access: ['participant'],
  summary: 'The candidate is here; answers with the time left',
  params: IdParams,
  body: z.object({
    seq: z.int().min(0),
    /** There as long as the page's monitor runs, whatever it watches; without it a flag follows. */
    monitor: z.record(z.string().max(50), z.unknown()).optional(),
  }),
  responses: { 200: AttemptNews },
  errors: ['NOT_FOUND', 'SESSION_REPLACED'],
});

/** One frame `event: news` with AttemptNews at once, another whenever something changed. */
export const streamParticipant = endpoint({
  method: 'GET',
  path: '/api/participants/:id/events',
  access: ['participant'],
  summary: 'Event stream of an attempt: time changed, message, ended',
  params: IdParams,
  responses: { 200: z.unknown() },
  errors: ['NOT_FOUND', 'SESSION_REPLACED'],
  produces: 'text/event-stream',
});

/** What an administrator said to a candidate during the attempt. */
export const Message = z.object({ id: z.string(), text: z.string(), at: Instant });
export type Message = z.infer<typeof Message>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/participants/:id/messages',
  access: ['admin', 'participant'],
  summary: 'Messages to the candidate of an attempt, oldest first',
  params: IdParams,
  responses: { 200: z.array(Message) },
  errors: ['NOT_FOUND'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/participants/:id/messages',
  access: ['admin'],
  summary: 'Say something to the candidate of an attempt in progress; shown at once; audited',
  params: IdParams,
  body: z.object({
    text: z
      .string('Write a message')
      .trim()
      .min(1, 'Write a message')
      .max(1_000, 'At most 1000 characters'),
  }),
  responses: { 201: Message },
  errors: ['NOT_FOUND', 'NOT_RUNNING'],
});

export const exportParticipants = endpoint({
  method: 'GET',
  path: '/api/participants/export',
  access: ['admin'],
  summary: 'The report as CSV, of one assessment or of all',
  query: z.object({
    quizId: z.union([Id, z.literal(''), z.literal('all')]).optional(),
    /** One column per question, of one assessment: what was chosen. */
    questions: z.enum(['true', 'false']).optional(),
  }),
  responses: { 200: z.unknown() },
  errors: ['NOT_FOUND'],
  produces: 'text/csv',
});

export const giveFeedback = endpoint({
  method: 'POST',
  path: '/api/feedback',
  access: ['participant'],
  summary: 'One emoji about the experience, once per attempt, until ten minutes after the end',
  body: z.object({
    participantId: Id,
    emoji: z.enum(['smile', 'neutral', 'sad'], 'Choose one of smile, neutral, sad'),
    text: z.string().trim().max(2_000).nullable().optional(),
    skipped: z.boolean().optional(),
  }),
  responses: {
    201: z.object({
      participantId: z.string(),
      emoji: z.enum(['smile', 'neutral', 'sad']),
      text: z.string().nullable(),
      skipped: z.boolean(),
    }),
  },
  errors: ['NOT_FOUND', 'FEEDBACK_CLOSED', 'FEEDBACK_GIVEN'],
});

const Reason = z
  .string('Give a reason')
  .trim()
  .min(1, 'Give a reason')
  .max(500, 'At most 500 characters');

export const extendParticipant = endpoint({
  method: 'POST',
  path: '/api/participants/:id/extend',
  access: ['admin'],
  summary: 'More time for an attempt in progress; audited',
  params: IdParams,
  body: z.object({
    minutes: z.int('Whole minutes').min(1, '1 to 180 minutes').max(180, '1 to 180 minutes'),
    reason: Reason,
  }),
  responses: { 200: Participant },
  errors: ['NOT_FOUND', 'NOT_RUNNING'],
});

export const endParticipant = endpoint({
  method: 'POST',
  path: '/api/participants/:id/end',
  access: ['admin'],
  summary: 'End an attempt in ten seconds; what the browser still holds is taken until then',
  params: IdParams,
  body: z.object({ reason: Reason }),
  responses: { 200: Participant },
  errors: ['NOT_FOUND', 'NOT_RUNNING'],
});

export const replaceParticipant = endpoint({
  method: 'POST',
  path: '/api/participants/:id/replace',
  access: ['admin'],
  summary: 'Allow another attempt, or reinstate this one with the time that was left; audited',
  params: IdParams,
  body: z.object({ how: z.enum(['another', 'reinstate']), reason: Reason }),
  responses: { 200: Participant },
  errors: ['NOT_FOUND', 'STILL_RUNNING', 'ALREADY_REPLACED'],
});

export const noteParticipant = endpoint({
  method: 'PUT',
  path: '/api/participants/:id/note',
  access: ['admin'],
  summary: "An administrator's note on an attempt",
  params: IdParams,
  body: z.object({ note: z.string().trim().max(4_000, 'At most 4000 characters') }),
  responses: { 200: z.object({ note: z.string() }) },
  errors: ['NOT_FOUND'],
});

export const exportPerson = endpoint({
  method: 'GET',
  path: '/api/users/:id/data',
  access: ['admin'],
  summary: 'Everything kept about a person, as a JSON file; audited',
  params: IdParams,
  responses: { 200: z.unknown() },
  errors: ['NOT_FOUND'],
  produces: 'application/json',
});

export const erasePerson = endpoint({
  method: 'POST',
  path: '/api/users/:id/erase',
  access: ['admin'],
  summary: 'Erase what identifies a person; results stay without a name. Audited, cannot be undone',
  params: IdParams,
  body: z.object({ reason: Reason }),
  responses: { 204: null },
  errors: ['NOT_FOUND', 'STILL_RUNNING'],
});
