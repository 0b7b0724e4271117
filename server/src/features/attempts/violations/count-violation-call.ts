import { acceptsSaves } from '@invigil/core/domain/attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { addViolationCall } from '../../../db/queries/attempts/changes.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { closed, lockOwn } from '../own-attempt.ts';
import { violationCount } from '../present.ts';

/**
 * Counts a call of the specification's counter endpoint, which never ends an attempt (product 6). Throws
 * NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, TOO_MANY_VIOLATIONS.
 */
export function countViolationCall(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  now: Date,
): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const attempt = await lockOwn(tx, session, participantId);
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
    if (attempt.violationCalls >= VIOLATION_LIMITS.perAttempt) {
      throw new AppError('TOO_MANY_VIOLATIONS', { details: { isFull: true } });
    }
    await addViolationCall(tx, attempt.id);
    return violationCount({ ...attempt, violationCalls: attempt.violationCalls + 1 });
  });
}
