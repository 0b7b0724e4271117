import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AdminSession } from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';

/** An administrator and when the password was last proved. */
export type Actor = Pick<AdminSession, 'adminId' | 'passwordAt'>;

/**
 * Refuses a sensitive action (product 11) where the password was last proved too long ago: a page left
 * open, or a stolen session, does not get that far. Throws CONFIRM_PASSWORD.
 */
export function requireFreshPassword({ passwordAt }: Actor, now: Date): void {
  const age = passwordAt === null ? Number.POSITIVE_INFINITY : now.getTime() - passwordAt.getTime();
  if (age > SESSION_LIMITS.passwordFreshMs) throw new AppError('CONFIRM_PASSWORD');
}
