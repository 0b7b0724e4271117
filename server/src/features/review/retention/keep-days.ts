import { RETENTION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Queryable } from '../../../db/database.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { findRetentionDays, putRetentionDays } from './queries.ts';

/** How many days monitoring data is kept after the end of an attempt. */
export async function readRetentionDays(db: Queryable): Promise<number> {
  return (await findRetentionDays(db)) ?? RETENTION_LIMITS.defaultDays;
}

/** Sets it; the next run of the cleanup job applies it. Audited. */
export async function changeRetentionDays(
  ctx: AppContext,
  adminId: string,
  days: number,
  now: Date,
): Promise<number> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await readRetentionDays(tx);
    await putRetentionDays(tx, days, now);
    await recordAudit(tx, {
      adminId,
      action: 'retention.changed',
      details: { before, days },
      at: now,
    });
  });
  return days;
}
