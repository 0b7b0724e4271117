import { z } from 'zod';
import {
  INVITATION_SORTS,
  INVITATION_STATES,
  INVITED_STATES,
} from '../../domain/invitation-states.ts';
import { BREAK_LIMITS, MAIL_LIMITS, REQUEST_LIMITS } from '../../domain/limits.ts';
import { addressText } from '../../texts/addresses.ts';
import { t } from '../../texts/i18n.ts';
import {
  KnownTimeRule,
  Minutes,
  OPENS_TOO_LATE,
  opensBeforeEnd,
  TimeRule,
  Times,
} from '../assessments/schedule.ts';
import { KnownPerson, PersonEmail, PersonId, PersonText } from '../definition/classified.ts';
import { endpoint, Id, Instant, Moment, page, Reason } from '../definition/endpoint.ts';
import { atMostAtATime, atMostCharacters } from '../definition/field-problems.ts';
import { LanguageTag } from '../definition/language-tag.ts';
import { TABLE, TableFormat } from '../definition/table-format.ts';
import { Participant } from '../review/participants.ts';
import { MailState } from './outbox.ts';
import { PersonInput } from './people.ts';

/** The outcome for one address of an invitation call. */
export const InvitationResult = z.object({
  email: z.string(),
  /** `invited`: without an email, as asked. */
  status: z.enum(['queued', 'invited', 'invalid', 'already_completed', 'in_progress']),
  id: z.string().optional(),
  reason: z.string().optional(),
  /** All minutes of someone with extra time, and what the end date leaves of them. */
  extraTime: z
    .object({
      minutes: z.number(),
      atMost: z.number(),
      /** Absent: those of the assessment. */
      times: Times.optional(),
    })
    .optional(),
});
export type InvitationResult = z.infer<typeof InvitationResult>;

/** Wording that an administrator may write; code and facts are always added. */
const InvitationWording = {
  subject: z.string().trim().max(200, atMostCharacters(200)).nullable().optional(),
  message: z.string().trim().max(4_000, atMostCharacters(4_000)).nullable().optional(),
};

/** A message as its recipient reads it. */
export const MessagePreview = z.object({ subject: z.string(), text: z.string(), html: z.string() });

export const previewInvitation = endpoint(
  'POST /api/quizzes/:id/invite/preview',
  ['quiz: people.invite'],
  {
    audit: { none: 'reads only' },
    summary: 'The invitation as it will be sent, with a placeholder for the one-time password',
    body: z.object(InvitationWording),
    responses: { 200: MessagePreview },
    errors: ['CHANGED_OUTSIDE'],
  },
);

/** The latest message of an invitation. `queued` with attempts: deferred, to be retried. */
export const InvitationMail = z.object({
  state: MailState,
  lastError: z.string().nullable(),
  /** Nothing went wrong: the link or one-time password in it no longer works. */
  isCanceled: z.literal(true).optional(),
  attempts: z.int(),
  nextAttemptAt: Instant.nullable(),
  sentAt: Instant.nullable(),
});
export type InvitationMail = z.infer<typeof InvitationMail>;

const breakNumber = (max: number) => {
  const problem = {
    error: () =>
      t('field.breakNumber', 'Enter a whole number from {min} to {max}', { min: 1, max }),
  };
  return z.int(problem).min(1, problem).max(max, problem);
};

/** Breaks that a candidate may take between questions, in which the clock stands still. */
export const Breaks = z.object({
  count: breakNumber(BREAK_LIMITS.countMax),
  /** of all breaks together */
  minutes: breakNumber(BREAK_LIMITS.minutesMax),
});
export type Breaks = z.infer<typeof Breaks>;

/** Someone invited to an assessment: delivery, sign-in and progress. */
export const Invitation = z.object({
  id: z.string(),
  userId: PersonId,
  quizId: z.string(),
  email: PersonEmail,
  ...KnownPerson,
  invitedAt: Instant,
  mail: InvitationMail.nullable(),
  signedInAt: Instant.nullable(),
  status: z.enum(['not_started', 'in_progress', 'completed', 'dismissed']),
  participantId: z.string().nullable(),
  startedAt: Instant.nullable(),
  submittedAt: Instant.nullable(),
  /** The attempt of `participantId`; absent while there is none. */
  attempt: Participant.optional(),
  revokedAt: Instant.nullable(),
  /** The end of the validity of a one-time password that has not been used to start; else `null`. */
  codeValidUntil: Instant.nullable(),
  extraTimeFactor: z.number(),
  cameraEnabled: z.boolean(),
  microphoneEnabled: z.boolean(),
  /** Their face may be partly covered: a face that is not found never counts. Absent otherwise. */
  faceCovered: z.literal(true).optional(),
  /** Breaks that they may take, with the minutes of all of them. Absent: none. */
  breaks: Breaks.optional(),
  /** Times for this person alone. Absent otherwise. */
  ownTimes: KnownTimeRule.optional(),
  /** The times of the person, by a rule for them or a group; absent: those of the assessment. */
  times: Times.optional(),
});
export type Invitation = z.infer<typeof Invitation>;

/** One of several assessments. */
export const PersonInvitation = Invitation.extend({ quizTitle: z.string() });

export const InvitationState = z.enum(INVITATION_STATES);

const InvitationFilter = {
  search: z.string().trim().max(320).optional(),
  state: InvitationState.optional(),
};

export const listInvitations = endpoint('GET /api/quizzes/:id/invitations', ['quiz: people.see'], {
  summary: 'Who was invited to an assessment; total in X-Total-Count',
  query: z.object({
    ...InvitationFilter,
    sort: z.enum(INVITATION_SORTS).default('invitedAt'),
    ...page(100),
  }),
  responses: { 200: z.array(Invitation) },
});

export const listPersonInvitations = endpoint(
  'GET /api/people/:id/invitations',
  ['person: people.see'],
  {
    summary:
      'The invitations of a person to assessments of the caller, with attempts, newest first',
    responses: { 200: z.array(PersonInvitation) },
  },
);

/** Facts to check before the first invitation. */
export const InviteChecks = z.object({
  /** The address as emails have it. */
  signInUrl: z.string(),
  /** Questions that no candidate gets, because they have no right answer. */
  drafts: z.int(),
  /** A mail server is configured, and has taken a message. */
  isMailTested: z.boolean(),
  /** Candidates who have its right answers, or can read them now; absent: none. */
  keyReaders: z.int().optional(),
  /** Opening time and deadline in the words of the emails. */
  opensAt: z.string().nullable(),
  completeBy: z.string(),
  /** The institution's time zone, in which a list of people has its times. */
  timeZone: z.string(),
});
export type InviteChecks = z.infer<typeof InviteChecks>;

export const checkInviting = endpoint(
  'GET /api/quizzes/:id/checks',
  ['quiz: people.invite', 'quiz: quizzes.edit'],
  {
    summary: 'What to check before people are invited to an assessment',
    responses: { 200: InviteChecks },
  },
);

/** An address that was invited to an assessment before, and how far its person is. */
export const InvitedBefore = z.object({
  email: PersonText,
  state: InvitationState.extract(INVITED_STATES),
  invitedAt: Instant,
});
export type InvitedBefore = z.infer<typeof InvitedBefore>;

/** Someone whose invitation has extra time, or would begin with what is kept of them. */
const WithExtraTime = z.object({
  email: PersonText,
  userName: KnownPerson.userName,
  /** Percent beside the regular time. */
  percent: z.number(),
  /** Absent: those of the assessment. */
  times: Times.optional(),
});
export type WithExtraTime = z.infer<typeof WithExtraTime>;

export const findInvited = endpoint(
  'POST /api/quizzes/:id/invitations/find',
  ['quiz: people.invite'],
  {
    audit: { none: 'reads only' },
    summary:
      'Which of some addresses were invited before, and who of them gets extra time; changes nothing',
    body: z.object({
      emails: z
        .array(z.string().max(MAIL_LIMITS.addressMaxCharacters))
        .max(MAIL_LIMITS.addressesFound),
    }),
    responses: {
      200: z.object({ invited: z.array(InvitedBefore), extraTime: z.array(WithExtraTime) }),
    },
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

export const InvitationCounts = z.record(z.enum(['all', ...INVITATION_STATES]), z.int());
export type InvitationCounts = z.infer<typeof InvitationCounts>;

export const countInvitations = endpoint(
  'GET /api/quizzes/:id/invitations/counts',
  ['quiz: people.see'],
  {
    summary: 'How many invitations are in each state',
    query: z.object({ search: InvitationFilter.search }),
    responses: { 200: InvitationCounts },
  },
);

export const listInvitationIds = endpoint(
  'GET /api/quizzes/:id/invitations/ids',
  ['quiz: people.see'],
  {
    summary: 'The ids of all invitations that match, to act on every one of them',
    query: z.object(InvitationFilter),
    responses: { 200: z.object({ ids: z.array(z.string()) }) },
  },
);

export const exportInvitations = endpoint(
  'GET /api/quizzes/:id/invitations/export',
  ['quiz: people.see'],
  {
    audit: 'invitations.exported',
    summary: 'The invitations that match, as CSV or as an Excel workbook',
    query: z.object({ ...InvitationFilter, format: TableFormat.default('csv') }),
    ...TABLE,
  },
);

const InvitationIds = z.object({
  ids: z
    .array(Id)
    .min(1, { error: () => t('field.invitations', 'Select at least one invitation') })
    .max(1_000, atMostAtATime(1_000)),
});

/** Another message to some invitations, in words of one's own. */
const sending = {
  body: InvitationIds.extend(InvitationWording),
  responses: { 200: z.object({ invitations: z.array(InvitationResult) }) },
  errors: ['QUIZ_NOT_OPEN', 'CHANGED_OUTSIDE'],
  bodyLimit: REQUEST_LIMITS.listBodyBytes,
} as const;

export const resendInvitations = endpoint(
  'POST /api/quizzes/:id/invitations/resend',
  ['quiz: people.invite'],
  {
    ...sending,
    audit: 'invitations.resent',
    summary: 'Resend with a new code; for someone in progress the earlier one keeps working',
  },
);

export const remindInvitations = endpoint(
  'POST /api/quizzes/:id/invitations/remind',
  ['quiz: people.invite'],
  {
    ...sending,
    audit: 'invitations.reminded',
    summary: 'Remind people who have not started: a new code, and the earlier ones keep working',
  },
);

/** One-time passwords to hand out, with the facts of the email. */
export const HandedOut = z.object({
  signInUrl: z.string(),
  opensAt: z.string().nullable(),
  completeBy: z.string(),
  /** The end of the passwords' validity; `null` where `completeBy` says it, or everyone has begun. */
  validUntil: z.string().nullable(),
  /** Each code in three groups; people who can no longer start have none. */
  passwords: z.array(
    z.object({
      id: z.string(),
      email: PersonText,
      userName: KnownPerson.userName,
      code: z.string(),
      /** The sentences of a printed slip, where its reader has another language than this response. */
      slip: z.object({ language: LanguageTag, lines: z.array(z.string()) }).optional(),
    }),
  ),
});
export type HandedOut = z.infer<typeof HandedOut>;

export const makePasswords = endpoint(
  'POST /api/quizzes/:id/invitations/passwords',
  ['quiz: passwords.print'],
  {
    audit: 'invitations.passwords_made',
    summary:
      'New one-time passwords to hand out without mail, returned once; earlier ones keep working. Audited, and the other administrators get an email',
    freshPassword: true,
    body: InvitationIds,
    responses: { 200: HandedOut },
    errors: ['QUIZ_NOT_OPEN', 'CHANGED_OUTSIDE'],
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

export const exportPasswords = endpoint(
  'POST /api/quizzes/:id/invitations/passwords/export',
  ['quiz: passwords.print'],
  {
    audit: 'invitations.passwords_made',
    summary: 'The same as CSV or as an Excel workbook, for a mail merge',
    freshPassword: true,
    body: InvitationIds.extend({ format: TableFormat.default('csv') }),
    ...TABLE,
    errors: ['QUIZ_NOT_OPEN', 'CHANGED_OUTSIDE'],
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

export const readDelivery = endpoint(
  'POST /api/quizzes/:id/invitations/delivery',
  ['quiz: people.see'],
  {
    audit: { none: 'reads only' },
    summary: 'Delivery state of the latest messages of some invitations',
    body: InvitationIds,
    responses: { 200: z.object({ mails: z.array(InvitationMail.extend({ id: z.string() })) }) },
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

export const revokeInvitations = endpoint(
  'POST /api/quizzes/:id/invitations/revoke',
  ['quiz: people.invite'],
  {
    audit: 'invitations.revoked',
    summary: 'Revoke invitations: their codes fail at once; attempts in progress continue',
    body: InvitationIds,
    responses: { 200: z.object({ revoked: z.int() }) },
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

const FACTOR = {
  error: () =>
    t(/* of the time for the assessment */ 'field.factor', 'Enter a factor from {min} to {max}', {
      min: 1,
      max: 10,
    }),
};

export const updateInvitation = endpoint(
  'PUT /api/invitations/:id',
  ['invitation: people.invite'],
  {
    audit: 'invitation.accommodated',
    summary:
      'Extra time, breaks, own times, sensor switches and a partly covered face of one person, before the start; what is absent stays',
    body: z.object({
      extraTimeFactor: z.number().min(1, FACTOR).max(10, FACTOR).optional(),
      cameraEnabled: z.boolean().optional(),
      microphoneEnabled: z.boolean().optional(),
      faceCovered: z.boolean().optional(),
      /** null: none */
      breaks: Breaks.nullable().optional(),
      /** Times for this person alone; null: those of their group or the assessment. */
      ownTimes: TimeRule.nullable().optional(),
      reason: Reason,
      /** The replaced values as they were read; if others are stored, the call is STALE. */
      before: z
        .object({
          extraTimeFactor: z.number(),
          cameraEnabled: z.boolean(),
          microphoneEnabled: z.boolean(),
          faceCovered: z.boolean(),
          breaks: Breaks.nullable(),
          ownTimes: TimeRule.nullable(),
        })
        .partial()
        .optional(),
    }),
    responses: { 200: Invitation },
    errors: ['ALREADY_STARTED', 'STALE'],
  },
);

export const sendTestInvitation = endpoint(
  'POST /api/quizzes/:id/invite/test',
  ['quiz: people.invite', 'quiz: quizzes.edit'],
  {
    audit: 'invitation.tested',
    summary:
      'A real invitation to oneself; its one-time password opens a preview for a day and leaves no attempt',
    body: z.object(InvitationWording),
    responses: { 200: z.object({ email: z.string() }) },
    errors: ['CHANGED_OUTSIDE'],
  },
);

/**
 * A person to invite, with times for them alone: an opening, an end and minutes. What is absent stays as the person
 * has it.
 */
const InvitedPerson = PersonInput.extend({
  opensAt: Moment.optional(),
  endDate: Moment.optional(),
  minutes: Minutes.optional(),
}).refine(opensBeforeEnd, OPENS_TOO_LATE);
export type InvitedPerson = z.input<typeof InvitedPerson> & { minutes?: number | undefined };

export const inviteToQuiz = endpoint('POST /api/quizzes/:id/invite', ['quiz: people.invite'], {
  audit: ['invitations.sent', 'invitation.accommodated', 'people.imported'],
  summary: 'Invite people by email; each gets a one-time password',
  body: z.object({
    emails: z
      .array(z.string({ error: () => addressText(null) }))
      .max(100_000)
      .nullable()
      .default([]),
    /**
     * People with more than an address, who are added or changed as by an import; their extra time and times are
     * the invitation's.
     */
    people: z.array(InvitedPerson).max(MAIL_LIMITS.addressesPerCall).default([]),
    /** If false, they get no one-time password either: `makePasswords`. */
    sendMail: z.boolean().default(true),
    ...InvitationWording,
  }),
  responses: { 200: z.object({ invitations: z.array(InvitationResult) }) },
  errors: ['QUIZ_NOT_OPEN', 'IS_PRACTICE', 'NO_EMAILS', 'CHANGED_OUTSIDE'],
  bodyLimit: REQUEST_LIMITS.listBodyBytes,
});
