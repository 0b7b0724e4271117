import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AdminSession } from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';

/** An administrator and when the password was last confirmed. */
export type Actor = Pick<AdminSession, 'adminId' | 'passwordAt'>;

/**
 * Refuses a sensitive action (product 11) when the password was confirmed too long ago, so that an open
 * page or a stolen session does not suffice. Throws CONFIRM_PASSWORD.
 */
export function requireFreshPassword({ passwordAt }: Actor, now: Date): void {
  const age = passwordAt === null ? Number.POSITIVE_INFINITY : now.getTime() - passwordAt.getTime();
  if (age > SESSION_LIMITS.passwordFreshMs) throw new AppError('CONFIRM_PASSWORD');
}
