import { randomBytes } from 'node:crypto';
import { Evidence } from '@invigil/core/contract/attempts/evidence-views';
import type { BaseContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { type EvidenceKeyRow, lockEvidenceKey } from '../db/queries/attempts/evidence.ts';
import { seal, unsealOrNull } from '../security/sealing.ts';

const KEY_BYTES = 32;

/**
 * The key of an attempt's evidence, created on first use and sealed with the service's key. `null` once
 * destroyed: no more evidence of this attempt is stored.
 */
export async function evidenceKeyFor(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys'>,
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

/** The key in clear; `null` once destroyed, or when this SECRET_KEY cannot open it. */
export function openEvidenceKey(
  ctx: Pick<BaseContext, 'keys'>,
  { participantId, sealedKey }: EvidenceKeyRow,
): Buffer | null {
  if (sealedKey === null) return null;
  const key = unsealOrNull(ctx.keys.sealing, sealedKey, keyContext(participantId));
  return key === null ? null : Buffer.from(key, 'base64');
}

/** Binds a sealed file to its attempt and name: under another one it does not open. */
export const fileContext = (participantId: string, id: string) => `evidence/${participantId}/${id}`;

const keyContext = (participantId: string) => `evidence_keys/${participantId}`;

const File = Evidence.pick({ stills: true, levels: true });

/** The content of an opened file. */
export function parseEvidenceFile(text: string) {
  return File.parse(JSON.parse(text));
}
