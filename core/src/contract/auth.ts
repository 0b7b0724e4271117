import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { OwnParticipant } from './own-participant.ts';
import { Quiz } from './quiz.ts';

export const LoginBody = z.object({
  email: z.string().trim().min(1, 'Enter your email address').max(320),
  password: z.string().min(1, 'Enter your password').max(1_000),
});

/** Who is signed in. For a participant `quiz` is the one the code opens, `attempt` the current row. */
export const Account = z.object({
  user: z.object({ id: z.string(), email: z.string() }),
  quiz: Quiz.nullable(),
  role: z.enum(['admin', 'participant']),
  attempt: OwnParticipant.nullable(),
  /** How many times the ordinary duration this candidate has; absent without extra time. */
  extraTimeFactor: z.number().optional(),
  /** An administrator who must set up two-step sign-in before anything else. */
  mustSetUpTotp: z.literal(true).optional(),
});
export type Account = z.infer<typeof Account>;

/** A code of the authenticator app, or a recovery code; spaces and hyphens do not matter. */
export const TypedCode = z.string('Enter the code').trim().min(1, 'Enter the code').max(100);

/** The password was right; the code of the second step is still to come. */
export const SecondStep = z.object({
  /** Names this sign-in, for five minutes and the second step only. */
  pending: z.string(),
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  summary: 'Sign in with an administrator password or a one-time password',
  body: LoginBody,
  responses: { 200: Account, 202: SecondStep },
  errors: ['INVALID_CREDENTIALS', 'ALREADY_COMPLETED', 'CODE_EXPIRED', 'THROTTLED'],
});

export const secondStep = endpoint({
  method: 'POST',
  path: '/api/auth/second-step',
  access: 'public',
  summary: 'The second step of an administrator’s sign-in: a code of the app, or a recovery code',
  body: z.object({ pending: z.string().min(1).max(100), code: TypedCode }),
  responses: { 200: Account },
  errors: ['WRONG_CODE', 'SIGN_IN_EXPIRED', 'TOTP_UNREADABLE', 'THROTTLED'],
});

export const me = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  access: ['admin', 'participant'],
  beforeTotp: true,
  summary: 'Who is signed in',
  responses: { 200: Account },
  errors: ['SESSION_REPLACED'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'public',
  summary: 'Sign out; the session is dead at once',
  responses: { 204: null },
  errors: [],
});
