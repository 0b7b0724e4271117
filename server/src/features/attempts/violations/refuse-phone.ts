import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { needsCamera } from '@invigil/core/domain/violations/violation-policy';
import type { Tx } from '../../../db/database.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { countViolations } from '../../../db/queries/attempts/violations.ts';
import { policyFor } from '../present.ts';
import { raiseFlag } from './raise-flag.ts';

/** Whether a start on a phone is refused: where the policy requires a camera (product 7). */
export function isPhoneRefused(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
): boolean {
  return needsCamera(policyFor({ policySettings, ...enabled }));
}

/**
 * A running attempt continues on any device (product 4.2). One that began with a camera and moves to a
 * phone, where none is required, is flagged for the reviewer and never dismissed for it.
 */
export async function flagMoveToPhone(tx: Tx, attempt: ParticipantView, now: Date): Promise<void> {
  if (!policyFor(attempt).camera) return;
  // More flags would say nothing new, and moving back and forth must not fill the record.
  const before = await countViolations(tx, attempt.id, 'camera_lost');
  if (before >= ATTEMPT_LIMITS.deviceChangesRecordedMax) return;
  const notes = 'The attempt continued on a phone or tablet, where no camera is required.';
  await raiseFlag(tx, attempt, { type: 'camera_lost', at: now, notes }, now);
}
