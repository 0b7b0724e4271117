import { needsCamera } from '@invigil/core/domain/violation-policy';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { insertViolation } from '../violations/queries.ts';
import { policyFor, violationCount } from './present.ts';
import { addReviewFlag, type ParticipantView } from './queries.ts';

/** Whether a start on a phone is refused: where the policy asks for a camera of everybody (product 7). */
export function isPhoneRefused(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
): boolean {
  return needsCamera(policyFor({ policySettings, ...enabled }));
}

/**
 * An attempt that runs goes on anywhere (product 4.2). Where it needs a camera and moves to a phone,
 * which has none, the reviewer is told: a flag, never a dismissal.
 */
export async function flagMoveToPhone(tx: Tx, attempt: ParticipantView, now: Date): Promise<void> {
  if (!needsCamera(policyFor(attempt))) return;
  const { id: participantId, status } = attempt;
  const id = newId();
  const answer = { id, counted: false, violationCount: violationCount(attempt), status };
  await insertViolation(tx, {
    id,
    participantId,
    type: 'camera_lost',
    at: now,
    receivedAt: now,
    counted: false,
    durationMs: null,
    notes: 'The attempt went on on a phone or tablet, where no camera is asked for.',
    engine: null,
    candidateNote: null,
    answer: { ...answer, remaining: null },
  });
  await addReviewFlag(tx, participantId);
}
