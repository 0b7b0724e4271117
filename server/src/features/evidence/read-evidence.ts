import type { Evidence } from '@invigil/core/contract/evidence-views';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { unseal } from '../../security/sealing.ts';
import { recordAudit } from '../audit/queries.ts';
import { fileContext, openEvidenceKey } from './evidence-key.ts';
import { parseEvidenceFile } from './parse-evidence.ts';
import { findEvidence, findEvidenceKey } from './queries.ts';

/**
 * Opens evidence for an administrator. The view is in the audit log before anything is shown.
 * Throws NOT_FOUND, EVIDENCE_GONE.
 */
export async function readEvidence(
  ctx: AppContext,
  adminId: string,
  id: string,
  now: Date,
): Promise<Evidence> {
  const row = await findEvidence(ctx.db, id);
  if (!row?.storedAt) throw new AppError('NOT_FOUND');
  const keyRow = await findEvidenceKey(ctx.db, row.participantId);
  const key = keyRow ? openEvidenceKey(ctx, keyRow) : null;
  const sealed = await ctx.storage.get(row.participantId, id);
  if (key === null || sealed === undefined) throw new AppError('EVIDENCE_GONE');
  let text: string;
  try {
    text = unseal(key, sealed, fileContext(row.participantId, id));
  } catch (error) {
    ctx.log.warn({ err: error, evidence: id }, 'evidence cannot be opened');
    throw new AppError('EVIDENCE_GONE');
  }
  const file = parseEvidenceFile(text);
  await recordAudit(ctx.db, {
    adminId,
    action: 'evidence.viewed',
    subject: { type: 'participant', id: row.participantId },
    details: { evidence: id, ...(row.violationId ? { violation: row.violationId } : {}) },
    at: now,
  });
  return {
    id,
    participantId: row.participantId,
    violationId: row.violationId,
    at: row.at.toISOString(),
    stills: file.stills,
    levels: file.levels,
  };
}
