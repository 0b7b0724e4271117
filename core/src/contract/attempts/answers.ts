import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import {
  AttemptStatus,
  Focused,
  MonitorReport,
  OwnParticipant,
  Summary,
} from './own-participant.ts';

export const Answer = z.object({
  id: z.string(),
  participantId: z.string(),
  questionId: z.string(),
  /** The option's whole text; empty when unanswered. */
  selectedOption: z.string(),
  isFlagged: z.boolean(),
  revision: z.int(),
  createdAt: Instant,
  /** Administrators only. */
  isCorrect: z.boolean().optional(),
});
export type Answer = z.infer<typeof Answer>;

const MAX_ROWS = 1_000;
/**
 * The option's whole text; of a multiple response a JSON array of them; else what was typed. Empty is
 * unanswered.
 */
const selectedOption = z.string().max(REQUEST_LIMITS.answerMaxCharacters);

/** One change of one answer. `revision` grows with each change of that question. */
export const AnswerChange = z.object({
  questionId: Id,
  selectedOption,
  isFlagged: z.boolean(),
  revision: z.int().min(1).max(2_147_483_647),
});
export type AnswerChange = z.infer<typeof AnswerChange>;

export const listAnswers = endpoint(
  'GET /api/participants/:id/answers',
  ['participant: records.see', 'participant'],
  {
    summary: 'Stored answers of an attempt',
    responses: { 200: z.array(Answer) },
    errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED'],
  },
);

export const saveAnswers = endpoint('PUT /api/participants/:id/answers', ['participant'], {
  summary: 'Save changes, all or nothing; acknowledged means on stable storage',
  body: z.object({
    answers: z.array(AnswerChange).min(1).max(MAX_ROWS),
    /** The monitor's report of a heartbeat, for a page whose heartbeats do not get through. */
    monitor: MonitorReport.optional(),
  }),
  responses: {
    200: z.object({
      saved: z.array(z.object({ questionId: z.string(), revision: z.int() })),
      /** Rows whose revision was lower than the stored one: nothing changed, this is what is stored. */
      stale: z
        .array(
          z.object({
            questionId: z.string(),
            revision: z.int(),
            selectedOption: z.string(),
            isFlagged: z.boolean(),
          }),
        )
        .optional(),
      status: AttemptStatus,
      remainingMs: z.int(),
      violationCount: z.int(),
    }),
  },
  errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED', 'REVISION_CONFLICT'],
  bodyLimit: REQUEST_LIMITS.saveAnswersBytes,
  sizedByPaper: true,
});

export const submitParticipant = endpoint('POST /api/participants/:id/submit', ['participant'], {
  summary: 'Save a set of answers and end the attempt; idempotent',
  body: z.object({
    answers: z
      .array(
        z.object({
          participantId: Id.optional(),
          questionId: Id,
          selectedOption: selectedOption.nullable().optional(),
          isFlagged: z.boolean().optional(),
          revision: z.int().min(1).max(2_147_483_647).optional(),
        }),
      )
      .max(MAX_ROWS)
      .default([]),
    // Accepted for compatibility with the seed; the server decides all of it. The one exception is
    // `auto` (no one pressed a button), and only once the deadline has passed. `deadlineAt` is the
    // deadline that the page counted down to: if it has moved since, the submit is refused with
    // TIME_LEFT.
    participant: z
      .object({
        submissionType: z.enum(['manual', 'auto']).optional().catch(undefined),
        deadlineAt: Instant.optional().catch(undefined),
      })
      .optional(),
    focused: Focused,
  }),
  responses: {
    200: z.object({
      participant: OwnParticipant,
      summary: Summary,
      /** `signed` is the receipt itself: see contract/receipts.ts. */
      receipt: z.object({ id: z.string(), signed: z.string() }),
    }),
  },
  errors: ['SESSION_REPLACED', 'REVISION_CONFLICT', 'TIME_LEFT', 'CHANGED_OUTSIDE'],
  bodyLimit: REQUEST_LIMITS.submitBytes,
  sizedByPaper: true,
  cost: 5,
});

/** Answers that arrived after the end: stored separately, never scored. */
export const LateAnswer = z.object({
  questionId: z.string(),
  selectedOption: z.string(),
  isFlagged: z.boolean(),
  revision: z.int().nullable(),
  receivedAt: Instant,
});

export type LateAnswer = z.infer<typeof LateAnswer>;

export const listLateAnswers = endpoint(
  'GET /api/participants/:id/late-answers',
  ['participant: records.see'],
  {
    summary: 'Changes that arrived after the end of an attempt',
    responses: { 200: z.array(LateAnswer) },
  },
);
