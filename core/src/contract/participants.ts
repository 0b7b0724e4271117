import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/limits.ts';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';
import { Policy } from './policy.ts';

export const AttemptStatus = z.enum(['in_progress', 'completed', 'dismissed']);
export const SubmissionType = z.enum(['manual', 'auto', 'dismissed', 'database']);

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
  /** seconds */
  timeSpent: z.int(),
  startedAt: Instant,
  submittedAt: Instant.nullable(),
  submissionType: SubmissionType.nullable(),
  attempt: z.int(),
  answeredCount: z.int(),
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

export const heartbeat = endpoint({
  method: 'POST',
  path: '/api/participants/:id/heartbeat',
  access: ['participant'],
  summary: 'The candidate is here; answers with the time left',
  params: IdParams,
  body: z.object({
    seq: z.int().min(0),
    monitor: z.record(z.string().max(50), z.unknown()).optional(),
  }),
  responses: {
    200: z.object({
      status: AttemptStatus,
      remainingMs: z.int(),
      deadlineAt: Instant,
      violationCount: z.int(),
    }),
  },
  errors: ['NOT_FOUND', 'SESSION_REPLACED'],
});

export const exportParticipants = endpoint({
  method: 'GET',
  path: '/api/participants/export',
  access: ['admin'],
  summary: 'The report as CSV, of one assessment or of all',
  query: z.object({ quizId: z.union([Id, z.literal(''), z.literal('all')]).optional() }),
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
