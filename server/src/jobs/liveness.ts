import { ATTEMPT_LIMITS, CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { inTransaction } from '../db/database.ts';
import { postponeCovered } from '../features/participants/queries.ts';
import { lockAliveAt, noteAlive } from './liveness-queries.ts';

/**
 * At the start: if nobody was up for a while, attempts that came due meanwhile get a minute in which
 * their candidates can send what they hold (product 4.1). The row is locked, so that of several
 * processes that start together only the first sees the outage.
 */
export async function recoverFromOutage(
  ctx: Pick<AppContext, 'db' | 'log'>,
  readyAt: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const aliveAt = await lockAliveAt(tx);
    if (!aliveAt) return;
    const outageMs = readyAt.getTime() - aliveAt.getTime();
    if (outageMs > 2 * CLOCK_LIMITS.livenessEveryMs) {
      const closeAt = new Date(readyAt.getTime() + ATTEMPT_LIMITS.outageReprieveMs);
      const covered = await postponeCovered(tx, aliveAt, readyAt, closeAt);
      ctx.log.warn(
        { outageMs, covered },
        'the service was away; covered attempts get a minute more',
      );
    }
    await noteAlive(tx, readyAt);
  });
}
