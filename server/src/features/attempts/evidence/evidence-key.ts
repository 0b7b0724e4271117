import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { type EvidenceKeyRow, lockEvidenceKey } from '../../../db/queries/attempts/evidence.ts';
import { seal, unsealOrNull } from '../../../security/sealing.ts';

const KEY_BYTES = 32;

/**
 * The key of an attempt's evidence, made when it is first needed and itself sealed with the
 * service's. `null` once it was destroyed: nothing more is kept of this attempt.
 */
export async function takeEvidenceKey(
  tx: Tx,
  ctx: Pick<AppContext, 'keys'>,
  participantId: string,
  now: Date,
): Promise<Buffer | null> {
  const key = randomBytes(KEY_BYTES).toString('base64');
  const row = await lockEvidenceKey(tx, {
    participantId,
    sealedKey: seal(ctx.keys.sealing, key, keyContext(participantId)),
    createdAt: now,
    destroyedAt: null,
    filesRemovedAt: null,
  });
  return openEvidenceKey(ctx, row);
}

/** The key in clear; `null` once it was destroyed, or where it cannot be opened with this SECRET_KEY. */
export function openEvidenceKey(
  ctx: Pick<AppContext, 'keys'>,
  { participantId, sealedKey }: EvidenceKeyRow,
): Buffer | null {
  if (sealedKey === null) return null;
  const key = unsealOrNull(ctx.keys.sealing, sealedKey, keyContext(participantId));
  return key === null ? null : Buffer.from(key, 'base64');
}

/** What a sealed file belongs to: moved to another name or attempt it does not open. */
export const fileContext = (participantId: string, id: string) => `evidence/${participantId}/${id}`;

const keyContext = (participantId: string) => `evidence_keys/${participantId}`;
