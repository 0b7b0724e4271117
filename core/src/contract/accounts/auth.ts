import { z } from 'zod';
import { REQUEST_LIMITS, SESSION_LIMITS } from '../../domain/limits.ts';
import type { Grant } from '../../domain/rights.ts';
import { t } from '../../texts/i18n.ts';
import { Quiz } from '../assessments/quiz.ts';
import { CommonStart } from '../attempts/opening.ts';
import { OwnParticipant } from '../attempts/own-participant.ts';
import { endpoint } from '../definition/endpoint.ts';
import {
  atMostCharacters,
  ENTER_PASSWORD,
  ENTER_YOUR_PASSWORD,
} from '../definition/field-problems.ts';
import { LanguageTag } from '../definition/language-tag.ts';

export const NewPassword = z
  .string(ENTER_PASSWORD)
  .min(SESSION_LIMITS.adminPasswordMinCharacters, {
    error: () =>
      t(
        'field.minCharacters',
        '{min, plural, one {At least # character} other {At least # characters}}',
        { min: SESSION_LIMITS.adminPasswordMinCharacters },
      ),
  })
  .max(
    SESSION_LIMITS.adminPasswordMaxCharacters,
    atMostCharacters(SESSION_LIMITS.adminPasswordMaxCharacters),
  );

export const LoginBody = z.object({
  email: z
    .string()
    .trim()
    .min(1, { error: () => t('field.yourEmail', 'Enter your email address') })
    .max(320),
  password: z.string().min(1, ENTER_YOUR_PASSWORD).max(1_000),
});

/**
 * The one who is signed in. For a participant `quiz` is the one the code opens, `attempt` the one that runs, else
 * the one that this session has taken, else the one that counts.
 */
export const Account = z.object({
  user: z.object({ id: z.string(), email: z.string() }),
  quiz: Quiz.nullable(),
  role: z.enum(['admin', 'participant']),
  attempt: OwnParticipant.nullable(),
  /** Multiple of the regular duration that this candidate has; absent without extra time. */
  extraTimeFactor: z.number().optional(),
  /** Another attempt that may begin beside the ended one; absent: there is none, or this session held the latest. */
  retake: z
    .object({
      /** The ended attempt that it follows, which `POST /api/participants` asks for. */
      after: z.string(),
      /** Which attempt it is, from 2, and how many are left with it. */
      number: z.int(),
      left: z.int(),
    })
    .optional(),
  /** A reinstated attempt waits to be continued with so much time. Milliseconds. */
  continuesMs: z.int().optional(),
  /** The institution's time zone, by its IANA name; of an assessment with an opening time or end date. */
  timeZone: z.string().optional(),
  /** Days after the end of an attempt until its monitoring data is deleted. */
  evidenceDays: z.int().optional(),
  /** Milliseconds until the assessment closes and ends every attempt; absent where it does not. */
  endsInMs: z.int().optional(),
  /** Milliseconds until the assessment opens, or another attempt may begin; absent once it has. */
  opensInMs: z.int().optional(),
  /** The start with all others; absent: the candidate need not wait for others. */
  startTogether: CommonStart.optional(),
  /** An administrator who must set up two-step sign-in before anything else. */
  mustSetUpTotp: z.literal(true).optional(),
  /** The name of an administrator for colleagues, and the grants. */
  name: z.string().optional(),
  grants: z.array(z.custom<Grant>()).optional(),
  /** The result of the ended attempt is released: `/quiz/result` shows it. */
  hasResult: z.literal(true).optional(),
  /**
   * Tag of the language of the screens; absent: English. A candidate's can change to others where there are any.
   */
  language: LanguageTag.optional(),
  languages: z.array(LanguageTag).optional(),
  /** A test invitation: the assessment as a candidate sees it, without an attempt. */
  preview: z.literal(true).optional(),
});
export type Account = z.infer<typeof Account>;

const ENTER_CODE = { error: () => t(/* of an authenticator app */ 'field.code', 'Enter the code') };

/** A code of the authenticator app, or a recovery code; spaces and hyphens do not matter. */
export const TypedCode = z.string(ENTER_CODE).trim().min(1, ENTER_CODE).max(100);

/** The password was correct; the code of the second step is still pending. */
export const SecondStep = z.object({
  /** Identifies this sign-in, for five minutes and the second step only. */
  pending: z.string(),
});

export const login = endpoint('POST /api/auth/login', 'public', {
  audit: { none: 'sign-in writes its own entries: nobody is signed in yet' },
  summary: 'Sign in with an administrator password or a one-time password',
  body: LoginBody,
  responses: { 200: Account, 202: SecondStep },
  errors: [
    'INVALID_CREDENTIALS',
    'CODE_WITHDRAWN',
    'CODE_REPLACED',
    'ALREADY_COMPLETED',
    'CODE_EXPIRED',
    'THROTTLED',
    'CHANGED_OUTSIDE',
  ],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});

export const secondStep = endpoint('POST /api/auth/second-step', 'public', {
  audit: { none: 'sign-in writes its own entries: nobody is signed in yet' },
  summary: 'The second step of an administrator’s sign-in: a code of the app, or a recovery code',
  body: z.object({ pending: z.string().min(1).max(100), code: TypedCode }),
  responses: { 200: Account },
  errors: ['WRONG_CODE', 'SIGN_IN_EXPIRED', 'TOTP_UNREADABLE', 'THROTTLED'],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});

/** The administrator's own password, asked for again. */
export const ConfirmPasswordBody = z.object({
  currentPassword: z
    .string(ENTER_YOUR_PASSWORD)
    .min(1, ENTER_YOUR_PASSWORD)
    .max(1_000, atMostCharacters(1_000)),
});

export const confirmPassword = endpoint('POST /api/auth/confirm-password', ['self'], {
  audit: { none: 'only the own session remembers it' },
  summary: 'Confirm your password: for 15 minutes this session may do what needs a fresh password',
  body: ConfirmPasswordBody,
  responses: { 204: null },
  errors: ['WRONG_PASSWORD', 'THROTTLED'],
});

/** Only where email can be sent; otherwise the operator resets an administrator’s password. */
export const getPasswordResetWays = endpoint('GET /api/auth/password-reset', 'public', {
  summary: 'Whether a link to set a new password can be sent by email',
  responses: { 200: z.object({ byMail: z.boolean() }) },
});

export const requestPasswordReset = endpoint('POST /api/auth/password-reset', 'public', {
  audit: { none: 'sign-in writes its own entries: nobody is signed in yet' },
  summary:
    'Send an administrator a link to set a new password, a candidate another one-time password; the response is the same for every address',
  body: z.object({ email: LoginBody.shape.email }),
  responses: { 202: null },
  errors: ['THROTTLED', 'SMTP_NOT_CONFIGURED'],
});

export const setResetPassword = endpoint('PUT /api/auth/password-reset', 'public', {
  audit: { none: 'sign-in writes its own entries: nobody is signed in yet' },
  summary: 'Set a new password with the link from the email; the sessions end',
  body: z.object({ token: z.string().min(1).max(100), newPassword: NewPassword }),
  /** `opens`: after a first password, the page of the portal where the person begins. */
  responses: { 200: z.object({ email: z.string(), opens: z.string().optional() }) },
  errors: ['RESET_LINK_EXPIRED', 'LOOKS_LIKE_CODE', 'GUESSABLE_PASSWORD'],
});

export const me = endpoint('GET /api/auth/me', ['self', 'participant', 'preview'], {
  beforeTotp: true,
  summary: 'Who is signed in',
  responses: { 200: Account },
  errors: ['SESSION_REPLACED'],
});

export const setLanguage = endpoint('PUT /api/auth/language', ['self', 'participant', 'preview'], {
  audit: { none: 'the own screens only' },
  summary: 'Remember the language of your screens; during an attempt also of its receipt',
  body: z.object({ language: LanguageTag }),
  responses: { 200: z.object({ language: LanguageTag }) },
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});

export const logout = endpoint('POST /api/auth/logout', 'public', {
  audit: { none: 'ends only the own session' },
  summary: 'Sign out; the session ends at once',
  responses: { 204: null },
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});
