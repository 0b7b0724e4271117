import type { Verdict } from '@invigil/core/contract/review/participants';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { setVerdict } from '../../../db/queries/attempts/changes.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { sealForPerson } from '../../../security/person-key.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';

/**
 * Records a reviewer's verdict on an ended attempt. The latest one counts; each is in the audit
 * log, its note sealed with the person's key. Throws NOT_FOUND, STILL_RUNNING.
 */
export async function recordVerdict(
  ctx: BaseContext,
  id: string,
  given: { verdict: Verdict; note: string; adminId: string; now: Date },
): Promise<void> {
  const { verdict, note, adminId, now } = given;
  await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, id);
    const attempt = await findParticipant(tx, id);
    if (!attempt) throw new AppError('NOT_FOUND');
    if (attempt.status === 'in_progress') throw new AppError('STILL_RUNNING');
    const change = { verdict, verdictNote: note, verdictAt: now, verdictBy: adminId };
    await changeSealed(tx, ctx.keys.integrity, RESULTS, [id], () => setVerdict(tx, id, change));
    const reason = note === '' ? null : await sealForPerson(tx, ctx, attempt.userId, note);
    await recordAudit(tx, {
      adminId,
      action: 'participant.verdict_recorded',
      subject: { type: 'participant', id },
      details: { verdict, before: attempt.verdict, ...(reason ? { reason } : {}) },
      at: now,
    });
  });
}
