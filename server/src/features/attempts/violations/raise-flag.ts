import type { FlagType } from '@invigil/core/domain/violations/violation-types';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { addReviewFlag } from '../../../db/queries/attempts/changes.ts';
import { insertViolation } from '../../../db/queries/attempts/violations.ts';
import { violationCount } from '../present.ts';

/** A flag of the server's own, which marks the attempt for review and never counts. */
export async function raiseFlag(
  tx: Tx,
  attempt: ParticipantView,
  { type, at, notes = null }: { type: FlagType; at: Date; notes?: string | null },
  now: Date,
): Promise<void> {
  const { id: participantId, status } = attempt;
  const id = newId();
  const answer = { id, counted: false, violationCount: violationCount(attempt), status };
  await insertViolation(tx, {
    id,
    participantId,
    type,
    at,
    receivedAt: now,
    counted: false,
    durationMs: null,
    notes,
    engine: null,
    candidateNote: null,
    answer: { ...answer, remaining: null },
  });
  await addReviewFlag(tx, participantId);
}
