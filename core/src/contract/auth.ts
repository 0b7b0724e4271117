import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { OwnParticipant } from './participants.ts';
import { Quiz } from './quizzes.ts';

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
});
export type Account = z.infer<typeof Account>;

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  summary: 'Sign in with an administrator password or a one-time password',
  body: LoginBody,
  responses: { 200: Account },
  errors: ['INVALID_CREDENTIALS', 'ALREADY_COMPLETED', 'CODE_EXPIRED', 'THROTTLED'],
});

export const me = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  access: ['admin', 'participant'],
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
