import { z } from 'zod';
import { endedSessionEmail } from '../../lib/person/stored-auth.ts';

export interface LoginProblems {
  email?: string;
  password?: string;
  captcha?: string;
}

/** Missing fields, checked before sending; the server validates the rest. */
export function validateLogin(typed: {
  email: string;
  password: string;
  captcha: string;
}): LoginProblems {
  const problems: LoginProblems = {};
  const email = typed.email.trim();
  if (email === '') problems.email = 'Enter your email address';
  else if (!/^\S+@\S+$/.test(email))
    problems.email = 'Enter a complete address, like name@example.org';
  if (typed.password === '') problems.password = 'Enter your password';
  if (typed.captcha.trim() === '') problems.captcha = 'Enter the code shown';
  return problems;
}

const HandedOver = z.object({ email: z.string().max(320) });

/**
 * The address from a link (`?email=`) or an earlier screen, or that of the person whose session expired
 * in this browser; otherwise empty.
 */
export function prefilledEmail(search: string, state: unknown): string {
  const handed = HandedOver.safeParse(state);
  if (handed.success) return handed.data.email;
  const linked = new URLSearchParams(search).get('email')?.slice(0, 320);
  return linked ?? endedSessionEmail() ?? '';
}
