import { z } from 'zod';
import {
  EXTRA_MINUTES_MAX,
  PAUSE_LIMITS,
  RECORD_LIMITS,
  REQUEST_LIMITS,
} from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { Outcome } from '../assessments/result-rules.ts';
import {
  AttemptStatus,
  Message,
  OwnParticipant,
  SubmissionType,
} from '../attempts/own-participant.ts';
import {
  AttemptPoints,
  KnownPerson,
  OptionalPoints,
  PersonEmail,
  PersonId,
  Score,
} from '../definition/classified.ts';
import { endpoint, Id, Instant, page, Reason } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';
import { TABLE, TableFormat } from '../definition/table-format.ts';

/** A reviewer's decision about an ended attempt; the candidate never sees it. */
export const Verdict = z.enum(['no_concern', 'talk', 'breach'], {
  error: () => t('field.verdict', 'Select a verdict'),
});
export type Verdict = z.infer<typeof Verdict>;

/** Only where questions have points; `score` then counts questions with full points. */
export const Points = {
  points: AttemptPoints,
  maxPoints: OptionalPoints,
};

/** An attempt as administrators see it. While in progress `score` is null and `timeSpent` runs. */
export const Participant = z.object({
  id: z.string(),
  userId: PersonId,
  quizId: z.string(),
  userEmail: PersonEmail,
  ...KnownPerson,
  quizTitle: z.string(),
  status: AttemptStatus,
  score: Score,
  totalMarks: z.int(),
  ...Points,
  violationCount: z.int(),
  /** The combined limit of the policy this attempt runs under; null: nothing ends automatically. */
  violationLimit: z.int().nullable(),
  /** seconds */
  timeSpent: z.int(),
  startedAt: Instant,
  submittedAt: Instant.nullable(),
  submissionType: SubmissionType.nullable(),
  attempt: z.int(),
  answeredCount: z.int(),
  /** A reviewer's decision; null: none yet. */
  verdict: Verdict.nullable(),
  /** Ended with something to review, and without a verdict. */
  toReview: z.boolean(),
  fullscreenExits: z.int(),
  tabSwitches: z.int(),
  /** Flags for a reviewer; they never count. */
  reviewFlags: z.int(),
  /** Only of ended attempts, where the assessment has a pass mark or grades. */
  outcome: Outcome.optional(),
});
export type Participant = z.infer<typeof Participant>;

export const PARTICIPANT_SORTS = [
  'startedAt',
  'submittedAt',
  'userEmail',
  /** Sorts by family name, else the one name, else the address. */
  'userName',
  'quizTitle',
  'score',
  'status',
  'timeSpent',
  'violationCount',
] as const;

export const listParticipants = endpoint(
  'GET /api/participants',
  ['anywhere: records.see', 'participant'],
  {
    summary:
      'Started attempts, current ones only; a participant sees only their own. Total in X-Total-Count',
    query: z.object({
      userId: Id.optional(),
      quizId: Id.optional(),
      status: AttemptStatus.optional(),
      search: z.string().trim().max(320).optional(),
      /** `open`: only attempts to review; a verdict: only attempts with that verdict. */
      review: z.enum(['open', ...Verdict.options]).optional(),
      result: z.enum(['passed', 'failed']).optional(),
      sort: z.enum(PARTICIPANT_SORTS).default('startedAt'),
      order: z.enum(['asc', 'desc']).optional(),
      ...page(REQUEST_LIMITS.listRowsMax),
      asOf: Instant.optional(),
    }),
    responses: { 200: z.union([z.array(Participant), z.array(OwnParticipant)]) },
  },
);

export const getParticipant = endpoint(
  'GET /api/participants/:id',
  ['participant: records.see', 'participant'],
  {
    summary: 'One attempt; a participant can read only their own',
    responses: { 200: z.union([Participant, OwnParticipant]) },
  },
);

/** Stands in a message for the number of its question, which each paper gives by itself. */
export const QUESTION_NUMBER = '{question}';

const WRITE_MESSAGE = { error: () => t('field.message', 'Write a message') };

export const MessageBody = z.object({
  text: z.string(WRITE_MESSAGE).trim().min(1, WRITE_MESSAGE).max(1_000, atMostCharacters(1_000)),
  /** The question that the message is about: `{question}` in the text becomes its number on the paper. */
  questionId: Id.optional(),
});

export const sendMessage = endpoint(
  'POST /api/participants/:id/messages',
  ['participant: attempts.act'],
  {
    audit: 'participant.messaged',
    summary: 'Send a message to the candidate of an attempt in progress; shown at once; audited',
    body: MessageBody,
    responses: { 201: Message },
    errors: ['NOT_RUNNING', 'NOT_ON_PAPER'],
  },
);

export const exportParticipants = endpoint(
  'GET /api/participants/export',
  ['anywhere: reports.export'],
  {
    audit: 'participants.exported',
    summary:
      'The report as CSV or as an Excel workbook, of one assessment or of all, with the filters of the list',
    query: z.object({
      quizId: z.union([Id, z.literal(''), z.literal('all')]).optional(),
      status: AttemptStatus.optional(),
      search: z.string().trim().max(320).optional(),
      review: z.enum(['open', ...Verdict.options]).optional(),
      result: z.enum(['passed', 'failed']).optional(),
      /** One column per question, of one assessment: what was selected. */
      questions: z.enum(['true', 'false']).optional(),
      /** `xlsx`: an Excel workbook. */
      format: TableFormat.default('csv'),
    }),
    ...TABLE,
    errors: ['NOT_FOUND'],
  },
);

const MINUTES = {
  error: () =>
    t('field.extraMinutes', '{max, plural, one {{min} to # minute} other {{min} to # minutes}}', {
      min: 1,
      max: EXTRA_MINUTES_MAX,
    }),
};

export const ExtraMinutes = z
  .int({ error: () => t(/* enter them */ 'field.wholeMinutes', 'Whole minutes') })
  .min(1, MINUTES)
  .max(EXTRA_MINUTES_MAX, MINUTES);

const PAUSE_MINUTES = {
  error: () =>
    t('field.pauseMinutes', '{max, plural, one {{min} to # minute} other {{min} to # minutes}}', {
      min: 1,
      max: PAUSE_LIMITS.minutesMax,
    }),
};

/** Minutes after which a pause ends by itself. */
export const PauseMinutes = z
  .int({ error: () => t(/* enter them */ 'field.wholeMinutes', 'Whole minutes') })
  .min(1, PAUSE_MINUTES)
  .max(PAUSE_LIMITS.minutesMax, PAUSE_MINUTES);

export const extendParticipant = endpoint(
  'POST /api/participants/:id/extend',
  ['participant: attempts.act'],
  {
    audit: 'participant.extended',
    summary: 'More time for an attempt in progress; audited',
    body: z.object({ minutes: ExtraMinutes, reason: Reason }),
    responses: { 200: Participant },
    errors: ['NOT_RUNNING'],
  },
);

/** The sentence that the candidate reads with the end; the reason stays in the audit log. */
export const EndMessage = MessageBody.shape.text.optional();

export const endParticipant = endpoint(
  'POST /api/participants/:id/end',
  ['participant: attempts.act'],
  {
    audit: 'participant.ended',
    summary: 'End an attempt in ten seconds; unsent answers of the browser are accepted until then',
    body: z.object({ reason: Reason, message: EndMessage }),
    responses: { 200: Participant },
    errors: ['NOT_RUNNING'],
  },
);

export const replaceParticipant = endpoint(
  'POST /api/participants/:id/replace',
  ['participant: attempts.act'],
  {
    audit: ['participant.another_attempt', 'participant.reinstated'],
    summary: 'Allow another attempt, or reinstate this one with the time that was left; audited',
    body: z.object({
      how: z.enum(['another', 'reinstate']),
      /** Only for `reinstate`: minutes beyond the time left, which runs when the candidate enters. */
      minutes: ExtraMinutes.optional(),
      reason: Reason,
    }),
    responses: { 200: Participant },
    errors: ['STILL_RUNNING', 'ALREADY_REPLACED', 'PERSON_ERASED', 'QUIZ_NOT_OPEN'],
  },
);

const TOO_LONG = atMostCharacters(RECORD_LIMITS.noteMaxCharacters);

/** An administrator's note on an attempt, and the reasons of a verdict. */
export const NoteText = z.string().trim().max(RECORD_LIMITS.noteMaxCharacters, TOO_LONG);

export const noteParticipant = endpoint(
  'PUT /api/participants/:id/note',
  ['participant: attempts.act', 'participant: verdicts.give'],
  {
    audit: 'participant.noted',
    summary: "An administrator's note on an attempt",
    body: z.object({
      note: NoteText,
      /** The note that was edited. Where a different one is stored, STALE returns it in `details.note`. */
      from: z.string().max(RECORD_LIMITS.noteMaxCharacters, TOO_LONG).optional(),
    }),
    responses: { 200: z.object({ note: z.string() }) },
    errors: ['STALE'],
  },
);

export const exportPerson = endpoint(
  'GET /api/users/:id/data',
  ['installation: installation.manage'],
  {
    freshPassword: true,
    audit: 'person.exported',
    summary:
      'Everything stored about a person, as a JSON file: invitations and mail without one-time passwords, attempts with messages, late answers and evidence. Audited',
    responses: { 200: z.unknown() },
    produces: 'application/json',
  },
);

export const erasePerson = endpoint(
  'POST /api/users/:id/erase',
  ['installation: installation.manage'],
  {
    audit: 'person.erased',
    summary:
      'Erase what identifies a person; results stay without a name. Audited, cannot be undone',
    body: z.object({ reason: Reason }),
    responses: { 204: null },
    errors: ['STILL_RUNNING'],
  },
);
