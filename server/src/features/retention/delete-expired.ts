import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { recordAudit } from '../audit/queries.ts';
import { deleteExpiredEvidence } from '../evidence/delete-evidence.ts';
import { readRetentionDays } from './keep-days.ts';
import { dropDeviceChecks } from './queries.ts';

const DAY_MS = 86_400_000;
const AT_A_TIME = 1_000;

/**
 * Deletes monitoring data of attempts that ended longer ago than the retention says. Results and the
 * consent stay. In portions, so that nothing waits long for a lock. Returns how many attempts lost
 * something.
 */
export async function deleteExpired(
  ctx: Pick<AppContext, 'db' | 'storage' | 'log'>,
  now: Date,
): Promise<number> {
  const days = await readRetentionDays(ctx.db);
  const endedBefore = new Date(now.getTime() - days * DAY_MS);
  let deleted = await deleteExpiredEvidence(ctx, endedBefore, days, now);
  for (;;) {
    const n = await inTransaction(ctx.db, async (tx) => {
      const dropped = await dropDeviceChecks(tx, endedBefore, AT_A_TIME);
      if (dropped > 0) {
        await recordAudit(tx, {
          adminId: null,
          action: 'retention.deleted',
          details: { participants: dropped, days },
          at: now,
        });
      }
      return dropped;
    });
    deleted += n;
    if (n < AT_A_TIME) return deleted;
  }
}
