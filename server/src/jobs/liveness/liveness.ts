import { ATTEMPT_LIMITS, CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import { postponeCovered } from '../../db/queries/attempts/ends.ts';
import { lockAliveAt, recordAlive, waitForNoDisk } from '../../db/queries/liveness.ts';
import { insertOutage } from '../../db/queries/outages.ts';
import { extendSessions } from '../../db/queries/session-changes.ts';
import { inTransaction } from '../../db/transaction.ts';
import { expiryOf } from '../../features/attempts/start-and-end/begin-attempts.ts';
import { type Noted, OUTAGE_MS } from './liveness-watch.ts';

/**
 * Records that the service is up, and detects an outage before: then attempts that came due since
 * get a minute in which candidates can send pending changes (product 4.1). An outage means that the
 * processes or the database were down; slowness is none, because a thread of its own records
 * liveness (liveness-thread.ts). Runs before every closing run too, so that the first one after an
 * outage ends none of these attempts. The row is locked: of several processes only the first sees
 * the outage.
 */
export async function recordAliveAndRecover(
  ctx: Pick<BaseContext, 'db' | 'log'>,
  now: Date,
): Promise<Noted> {
  return inTransaction(ctx.db, async (tx) => {
    const aliveAt = await lockAliveAt(tx);
    const awayMs = aliveAt ? now.getTime() - aliveAt.getTime() : Number.POSITIVE_INFINITY;
    if (aliveAt && awayMs < CLOCK_LIMITS.livenessEveryMs) return { covered: 0, aliveAt };
    const wasAway = aliveAt !== undefined && awayMs > OUTAGE_MS;
    // A slow disk is no outage: the ordinary record does not wait for it.
    if (!wasAway) await waitForNoDisk(tx);
    await recordAlive(tx, now);
    if (!wasAway) return { covered: 0, aliveAt: now };
    await insertOutage(tx, aliveAt, now);
    const closeAt = new Date(now.getTime() + ATTEMPT_LIMITS.outageReprieveMs);
    const sessionIds = await postponeCovered(tx, aliveAt, now, closeAt);
    const covered = sessionIds.length;
    if (covered > 0) {
      // Sessions expire too in a long outage, and nothing can be sent without one.
      const expiresAt = expiryOf(closeAt);
      const open = sessionIds.filter((id) => id !== null);
      await extendSessions(tx, open, expiresAt);
      ctx.log.warn(
        { awayMs, covered },
        'attempts came due while the service was down and were given a minute more',
      );
    }
    return { covered, aliveAt: now };
  });
}
