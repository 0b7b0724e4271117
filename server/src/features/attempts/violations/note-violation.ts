import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { isLifecycleType } from '@invigil/core/domain/violations/violation-types';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { holdParticipant } from '../../../db/queries/attempts/evidence.ts';
import { findViolation, setCandidateNote } from '../../../db/queries/attempts/violations.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireLive } from '../../../sessions/require-live.ts';
import { isOwn } from '../is-own.ts';

/**
 * Stores the candidate's own note on a detection. The last note replaces earlier ones, until ten minutes
 * after the end. Throws NOT_FOUND, NOTE_CLOSED, NOT_SIGNED_IN, SESSION_REPLACED.
 */
export async function noteViolation(
  ctx: AppContext,
  session: ParticipantSession,
  id: string,
  note: string,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const violation = await findViolation(tx, id);
    // Against a concurrent erasure of the person, which locks every attempt.
    if (violation) await holdParticipant(tx, violation.participantId);
    const attempt = violation && (await findParticipant(tx, violation.participantId));
    if (!isOwn(session, attempt) || isLifecycleType(violation?.type ?? ''))
      throw new AppError('NOT_FOUND');
    const { submittedAt } = attempt;
    if (submittedAt !== null) await requireLive(tx, session.id, now);
    const isOver =
      submittedAt !== null &&
      now.getTime() > submittedAt.getTime() + VIOLATION_LIMITS.candidateNoteWindowMs;
    if (isOver) throw new AppError('NOTE_CLOSED');
    await setCandidateNote(tx, id, note);
  });
}
