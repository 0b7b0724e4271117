import { z } from 'zod';
import { LIVE_LIMITS, REQUEST_LIMITS } from '../../domain/limits.ts';
import { ATTENTION_KINDS } from '../../domain/live-order.ts';
import { numberText } from '../../domain/locale.ts';
import { t } from '../../texts/i18n.ts';
import { AttemptStatus } from '../attempts/own-participant.ts';
import { KnownPerson, PersonEmail } from '../definition/classified.ts';
import { endpoint, GIVE_REASON, Id, Instant } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';
import { EndMessage, ExtraMinutes, MessageBody, PauseMinutes } from './participants.ts';

/** An attempt in progress, as the live board shows it. */
export const LiveAttempt = z.object({
  id: z.string(),
  userEmail: PersonEmail,
  ...KnownPerson,
  quizId: z.string(),
  quizTitle: z.string(),
  startedAt: Instant,
  deadlineAt: Instant,
  /** Milliseconds left at the frame's time; count down from it. */
  remainingMs: z.int(),
  /** The clock stands still. */
  pause: z
    .object({
      since: Instant,
      /** When it goes on by itself; absent: when somebody ends the pause. */
      until: Instant.optional(),
      /** null: a break that the candidate took */
      reason: z.string().nullable(),
    })
    .optional(),
  answeredCount: z.int(),
  totalQuestions: z.int(),
  violationCount: z.int(),
  /** The combined limit of its own policy; null: nothing ends automatically. */
  violationLimit: z.int().nullable(),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  /** The last thing that a sensor or the page detected. */
  lastSignal: z
    .object({ id: z.string(), type: z.string(), at: Instant, counted: z.boolean() })
    .nullable(),
  /** `offline`: no request for longer than two heartbeats. */
  connection: z.enum(['online', 'offline']),
  /** Answers arrive, but no reports of the page's monitor. */
  isSilent: z.boolean(),
  /** Since when the candidate asks for help; absent: does not. */
  helpAt: Instant.optional(),
  isPhone: z.boolean(),
  /** Whether there is a camera to watch. */
  hasCamera: z.boolean(),
  /** The most urgent reason for attention; null: none. See domain/live-order.ts. */
  attention: z
    .object({
      kind: z.enum(ATTENTION_KINDS),
      since: Instant,
      /** The detected event, if that is the reason; later and less urgent signals do not replace it. */
      signal: z.object({ type: z.string(), counted: z.boolean() }).nullable(),
    })
    .nullable(),
});
export type LiveAttempt = z.infer<typeof LiveAttempt>;

/**
 * Counts of an assessment with attempts in progress or recently ended. Ends are those of the last 24
 * hours.
 */
export const LiveQuiz = z.object({
  quizId: z.string(),
  title: z.string(),
  writing: z.int(),
  /** Invited and not started; includes people with another attempt allowed and not started. */
  notStarted: z.int(),
  completed: z.int(),
  dismissed: z.int(),
});
export type LiveQuiz = z.infer<typeof LiveQuiz>;

/** An attempt that ended in the last half hour. */
export const LiveEnded = z.object({
  id: z.string(),
  userEmail: PersonEmail,
  userName: KnownPerson.userName,
  quizId: z.string(),
  status: AttemptStatus,
  submittedAt: Instant,
});
export type LiveEnded = z.infer<typeof LiveEnded>;

/**
 * One frame of the board. The first is complete; later ones hold the attempts that changed and the ids
 * of those that ended. A frame without changes still updates the time.
 */
export const LiveFrame = z.object({
  at: Instant,
  isWhole: z.boolean(),
  attempts: z.array(LiveAttempt),
  gone: z.array(z.string()),
  /** Counts all attempts in progress, even if the frame holds only some. */
  writing: z.int(),
  needAttention: z.int(),
  /** Present when changed; the first frame has both. */
  quizzes: z.array(LiveQuiz).optional(),
  ended: z.array(LiveEnded).optional(),
});
export type LiveFrame = z.infer<typeof LiveFrame>;

/** The details of a person for viewers who do not see everyone, where those differ. */
const opened = { opened: z.object(KnownPerson).optional() };
export const BoardAttempt = LiveAttempt.extend(opened);
export const BoardEnd = LiveEnded.extend(opened);
/** A frame as the processes exchange it; viewers receive a `LiveFrame`. */
export const BoardFrame = LiveFrame.extend({
  attempts: z.array(BoardAttempt),
  ended: z.array(BoardEnd).optional(),
});
export type BoardAttempt = z.infer<typeof BoardAttempt>;
export type BoardEnd = z.infer<typeof BoardEnd>;
export type BoardFrame = z.infer<typeof BoardFrame>;

/** Frames `event: board` with LiveFrame: one at once, then at most one a second. */
export const streamLive = endpoint('GET /api/live', ['anywhere: live.watch'], {
  summary:
    'Event stream of all attempts in progress, most urgent first; at most one frame a second',
  responses: { 200: z.unknown() },
  produces: 'text/event-stream',
});

/** The number in the portal's menu. */
export const getLiveCount = endpoint('GET /api/live/count', ['anywhere: live.watch'], {
  summary: 'How many attempts are in progress, and whether some wait for a common start',
  responses: {
    200: z.object({
      writing: z.int(),
      /** An assessment that all start together is about to begin. */
      hasHall: z.literal(true).optional(),
    }),
  },
});

/** The camera picture of a watched person. `jpeg` is base64; null: none yet, or no longer. */
export const Thumbnail = z.object({ at: Instant.nullable(), jpeg: z.string().nullable() });
export type Thumbnail = z.infer<typeof Thumbnail>;

/**
 * Frames `event: thumbnail` with Thumbnail, at most one a second. While this stream is open the
 * candidate's page sends thumbnails; it ends with the attempt.
 */
export const watchParticipant = endpoint(
  'GET /api/participants/:id/watch',
  ['participant: live.watch'],
  {
    audit: 'participant.watched',
    summary: 'Event stream of the camera picture of one candidate in progress; audited',
    responses: { 200: z.unknown() },
    errors: ['NOT_RUNNING', 'SENSOR_OFF'],
    produces: 'text/event-stream',
  },
);

/**
 * A message explains itself, and so does the end of a pause; any other action that changes an attempt needs a
 * reason. Candidates read that of a pause.
 */
function hasReason(body: { action?: { kind?: string }; reason?: string | undefined }): boolean {
  const kind = body.action?.kind;
  return kind === 'message' || kind === 'resume' || (body.reason ?? '') !== '';
}

const many = z.object({
  ids: z
    .array(Id)
    .min(1, { error: () => t('field.candidates', 'Select at least one candidate') })
    .max(LIVE_LIMITS.actionMax, {
      error: () =>
        t(/* candidates that one action is for */ 'field.maxAtOnce', 'At most {max} at once', {
          max: numberText(LIVE_LIMITS.actionMax),
        }),
    }),
  action: z.discriminatedUnion('kind', [
    MessageBody.extend({ kind: z.literal('message') }),
    z.object({ kind: z.literal('extend'), minutes: ExtraMinutes }),
    z.object({ kind: z.literal('end'), message: EndMessage }),
    z.object({ kind: z.literal('pause'), minutes: PauseMinutes.optional() }),
    z.object({ kind: z.literal('resume') }),
  ]),
  reason: z.string(GIVE_REASON).trim().max(500, atMostCharacters(500)).optional(),
});
/** Reported also where another field is invalid: a form shows all problems at once. */
const REASON_NEEDED = {
  path: ['reason'],
  ...GIVE_REASON,
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

/** An action before the browser adds its id. */
export const ActionForMany = many.refine(hasReason, REASON_NEEDED);

/** One action for many attempts; each is audited separately, with the reason. */
export const applyToMany = endpoint('POST /api/live/actions', ['anywhere: attempts.act'], {
  audit: [
    'participant.extended',
    'participant.ended',
    'participant.messaged',
    'participant.paused',
    'participant.resumed',
  ],
  summary:
    'Message, extra time, end now, pause or its end for many attempts; returns the ones it could not be applied to',
  body: many
    // Idempotency key, created by the browser: a retry applies only where the action is not applied yet.
    .extend({ id: Id })
    .refine(hasReason, REASON_NEEDED),
  responses: {
    200: z.object({
      done: z.array(z.string()),
      refused: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
    }),
  },
  bodyLimit: REQUEST_LIMITS.listBodyBytes,
});
