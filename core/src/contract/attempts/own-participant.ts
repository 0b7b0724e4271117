import { z } from 'zod';
import type { ConsentTo } from '../../domain/consent.ts';
import { ATTEMPT_LIMITS, REQUEST_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { NegativeMarks } from '../assessments/negative-marks.ts';
import { Policy } from '../assessments/policy.ts';
import { PaperQuestion } from '../assessments/question-list.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { LanguageTag } from '../definition/language-tag.ts';

export const AttemptStatus = z.enum(['in_progress', 'completed', 'dismissed']);
export const SubmissionType = z.enum(['manual', 'auto', 'dismissed', 'database']);

/** The clock of an attempt stands still. */
export const PausedClock = z.object({
  /** The invigilator's words; null: a break that the candidate took. */
  reason: z.string().nullable(),
  /** Milliseconds until it goes on by itself. */
  leftMs: z.int(),
  /** An invigilator ends it; that it would end by itself in hours is of no interest. */
  isOpen: z.literal(true).optional(),
});
export type PausedClock = z.infer<typeof PausedClock>;

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
  pause: PausedClock.optional(),
  /** Milliseconds of the pauses that are over, which the deadline includes; absent: none. */
  pausedMs: z.int().optional(),
  serverTime: Instant,
  totalQuestions: z.int(),
  answeredCount: z.int(),
  violationCount: z.int(),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  policy: Policy,
  /** The cost of wrong answers, which is no secret; absent: nothing. */
  negativeMarks: NegativeMarks.optional(),
  /** Breaks that may still be taken, and the milliseconds of all of them; absent: none. */
  breaks: z.object({ left: z.int(), leftMs: z.int() }).optional(),
  /** A computer was used in it: its tab rule then applies on a phone too. */
  computerUsed: z.boolean().optional(),
  submittedAt: Instant.nullable(),
  /** seconds */
  timeSpent: z.int(),
  submissionType: SubmissionType.nullable(),
});
export type OwnParticipant = z.infer<typeof OwnParticipant>;

/** `questions`: the paper, where the start asked for it and the attempt has just begun. */
const StartedParticipant = OwnParticipant.extend({
  questions: z.array(PaperQuestion).optional(),
});

/** The devices that a consent text asked for (domain/consent.ts). */
export const ConsentToBody: z.ZodType<ConsentTo, ConsentTo> = z.object({
  camera: z.boolean(),
  microphone: z.boolean(),
  stills: z.boolean(),
});

/** Fields whose names the page defines: bounded in number, size and depth. */
const FlatRecord = z
  .record(z.string().max(50), z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
  .refine((record) => Object.keys(record).length <= 50, {
    error: () =>
      t('field.entries', '{max, plural, one {At most # entry} other {At most # entries}}', {
        max: 50,
      }),
  });

export const startParticipant = endpoint('POST /api/participants', ['participant'], {
  summary: 'Start the attempt, or resume the one in progress',
  body: z.object({
    userId: Id.optional(),
    quizId: Id.optional(),
    // Accepted for compatibility with the specification and ignored (product 4).
    status: z.unknown().optional(),
    timeSpent: z.unknown().optional(),
    startedAt: z.unknown().optional(),
    consent: z
      .object({
        textVersion: z.string().min(1).max(50),
        /** The monitoring that the text asked for; the candidate is not monitored by more than that. */
        to: ConsentToBody.optional(),
      })
      .optional(),
    /** The language in which the candidate has read consent and rules; absent: English. */
    language: LanguageTag.optional(),
    /** Whether the page runs on a phone or tablet: an iPad calls itself a Macintosh in its requests. */
    mobile: z.boolean().optional(),
    /**
     * The device as the page detects it: a user agent that claims to be a phone can be a computer's.
     */
    device: z
      .object({
        platform: z.string().max(50),
        touchPoints: z.int().min(0).max(1_000),
        coarsePointer: z.boolean(),
      })
      .optional(),
    deviceCheck: FlatRecord.optional(),
    /** The attempt that the page goes on with: NOT_FOUND where it is not the current one any more. */
    resumes: Id.optional(),
    /** The ended attempt that another one follows, as the account has it: none begins unasked. */
    retakes: Id.optional(),
    /** Asks for the paper with the start, so that the first question is there one round trip earlier. */
    withQuestions: z.boolean().optional(),
  }),
  responses: { 201: StartedParticipant, 200: StartedParticipant },
  errors: [
    'NOT_FOUND',
    'QUIZ_INACTIVE',
    'NOT_OPEN_YET',
    'NOT_STARTED_YET',
    'TOO_LATE',
    'ALREADY_COMPLETED',
    'CAMERA_REQUIRED',
    'CONSENT_OUTDATED',
    'NO_QUESTIONS',
    'SESSION_REPLACED',
    'DISK_LOW',
    'CHANGED_OUTSIDE',
  ],
  cost: 5,
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

/** State of an attempt, as heartbeats return and the event stream sends it. */
export const AttemptNews = z.object({
  status: AttemptStatus,
  submissionType: SubmissionType.nullable(),
  remainingMs: z.int(),
  deadlineAt: Instant,
  pause: PausedClock.optional(),
  pausedMs: z.int().optional(),
  violationCount: z.int(),
  /** Messages from administrators so far; a higher count means there is something to read. */
  messageCount: z.int(),
  /** Milliseconds until an administrator's end takes effect. Sent by the stream only. */
  endsInMs: z.int().optional(),
  /** An administrator is watching the camera: the page sends one thumbnail a second. */
  watched: z.boolean().optional(),
  /** The candidate asks for help; absent: does not, or was answered. */
  handUp: z.boolean().optional(),
});
export type AttemptNews = z.infer<typeof AttemptNews>;

/**
 * Whole seconds since the page was opened in which each question was in view, in the order of the paper. For
 * statistics of questions only; anything else in its place is ignored.
 */
export const Focused = z
  .array(z.int().min(0).max(32_767))
  .max(ATTEMPT_LIMITS.focusedQuestionsMax)
  .optional()
  .catch(undefined);

/** The report of the page's monitor about itself. */
export const MonitorReport = FlatRecord;

export type MonitorReport = z.infer<typeof MonitorReport>;

export const heartbeat = endpoint('POST /api/participants/:id/heartbeat', ['participant'], {
  summary: 'Reports that the page is alive; returns the time left',
  body: z.object({
    seq: z.int().min(0),
    /** Present while the page's monitor runs, whatever it checks; without it a flag is raised. */
    monitor: MonitorReport.optional(),
    focused: Focused,
  }),
  responses: { 200: AttemptNews },
  errors: ['SESSION_REPLACED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});

/** The candidate's call for somebody; it has no text, and the answer is a message (`sendMessage`). */
export const askForHelp = endpoint('PUT /api/participants/:id/help', ['participant'], {
  summary: 'Raise the hand, or put it down; a message to the attempt puts it down as well',
  body: z.object({ handUp: z.boolean() }),
  responses: { 200: z.object({ handUp: z.boolean() }) },
  errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
  cost: 5,
});

/** A break of the candidate, between questions; granted as an accommodation. */
export const takeBreak = endpoint('PUT /api/participants/:id/break', ['participant'], {
  summary: 'Begin a break, in which the clock stands still, or end it; returns the attempt',
  body: z.object({ onBreak: z.boolean() }),
  responses: { 200: OwnParticipant },
  errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED', 'NO_BREAK_LEFT', 'NOT_RUNNING'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
  cost: 5,
});

/** One frame `event: news` with AttemptNews at once, another whenever something changed. */
export const streamParticipant = endpoint('GET /api/participants/:id/events', ['participant'], {
  summary: 'Event stream of an attempt: time changed, message, ended',
  responses: { 200: z.unknown() },
  errors: ['SESSION_REPLACED'],
  produces: 'text/event-stream',
});

/** A message from an administrator to a candidate during the attempt. */
export const Message = z.object({ id: z.string(), text: z.string(), at: Instant });
export type Message = z.infer<typeof Message>;

export const listMessages = endpoint(
  'GET /api/participants/:id/messages',
  ['participant: attempts.act', 'participant: evidence.see', 'participant'],
  {
    summary: 'Messages to the candidate of an attempt, oldest first',
    responses: { 200: z.array(Message) },
    errors: ['ATTEMPT_CLOSED'],
  },
);

export const giveFeedback = endpoint('POST /api/feedback', ['participant'], {
  summary: 'One emoji about the experience, once per attempt, until ten minutes after the end',
  body: z.object({
    participantId: Id,
    emoji: z.enum(['smile', 'neutral', 'sad'], {
      error: () =>
        t(
          /* values of the API, not translated: smile, neutral, sad */ 'field.feedback',
          'Select smile, neutral or sad',
        ),
    }),
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
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 4,
  cost: 5,
});
