import { acceptsSaves } from '@invigil/core/domain/attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { addViolationCall } from '../../../db/queries/attempts/changes.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { closed, lockOwn } from '../own-attempt.ts';
import { violationCount } from '../present.ts';
import { noteViolation } from './note-violation.ts';
import { reportViolation } from './report-violation.ts';

export function violationHandlers(ctx: BaseContext) {
  return {
    async reportViolation({ body, session, request, now }) {
      const report = {
        participantId: body.participantId,
        violationType: body.violationType,
        notes: body.notes ?? null,
        isUnseen: body.unseen === true,
        id: body.id,
        ageMs: body.ageMs ?? 0,
        durationMs: body.durationMs ?? null,
        engine: body.engine ?? null,
        from: request,
      };
      const { isNew, answer } = await reportViolation(ctx, session, report, now);
      return { status: isNew ? 201 : 200, body: answer };
    },
    async countViolation({ params, session, now }) {
      const violationCount = await countViolationCall(ctx, session, params.id, now);
      return { status: 200, body: { violationCount } };
    },
    async noteViolation({ params, body, session, now }) {
      await noteViolation(ctx, session, params.id, body.note, now);
      return { status: 200, body: { id: params.id, note: body.note } };
    },
  } satisfies Handlers;
}

/**
 * Counts a call of the specification's counter endpoint, which never ends an attempt (product 6). Throws
 * NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, TOO_MANY_VIOLATIONS.
 */
function countViolationCall(
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
