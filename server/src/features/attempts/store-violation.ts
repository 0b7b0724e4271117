import type { ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { type FlagType, levelOf } from '@invigil/core/domain/violations/violation-types';
import type { FlagNote } from '@invigil/core/texts/flag-notes';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { addReviewFlag } from '../../db/queries/attempts/changes.ts';
import { insertViolation, type ViolationRow } from '../../db/queries/attempts/violations.ts';
import { AppError } from '../../runtime/app-error.ts';
import { violationCount } from './present.ts';

/** A violation to be stored; missing values are null, and it does not count. */
type NewViolation = Pick<ViolationRow, 'type' | 'at'> &
  Partial<Pick<ViolationRow, 'id' | 'counted' | 'notes' | 'durationMs' | 'engine'>> &
  Partial<Pick<ViolationAnswer, 'remaining'>>;

/**
 * Stores a violation with the answer that each report of it gets. Throws NOT_FOUND when another attempt
 * has inserted the id concurrently: it is someone else's, like a known one.
 *
 * @param attempt with the counts that include it
 */
export async function storeViolation(
  tx: Tx,
  attempt: ParticipantView,
  { remaining = null, ...violation }: NewViolation,
  now: Date,
): Promise<ViolationAnswer> {
  const row = {
    id: newId(),
    counted: false,
    notes: null,
    durationMs: null,
    engine: null,
    ...violation,
  };
  const { id, counted } = row;
  const { status } = attempt;
  const answer = { id, counted, violationCount: violationCount(attempt), remaining, status };
  const more = { participantId: attempt.id, receivedAt: now, candidateNote: null, answer };
  if (!(await insertViolation(tx, { ...row, ...more }))) throw new AppError('NOT_FOUND');
  return answer;
}

/** A flag of the server's own, which never counts; above `info` it marks the attempt for review. */
export async function raiseFlag(
  tx: Tx,
  attempt: ParticipantView,
  flag: { type: FlagType; at: Date; durationMs?: number; notes?: FlagNote },
  now: Date,
): Promise<void> {
  await storeViolation(tx, attempt, flag, now);
  if (levelOf(flag.type, flag.durationMs) !== 'info') await addReviewFlag(tx, attempt.id);
}
