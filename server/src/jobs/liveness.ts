import { ATTEMPT_LIMITS, CLOCK_LIMITS } from '@invigil/core/domain/limits';
import { sql } from 'drizzle-orm';
import type { AppContext } from '../app-context.ts';
import { type Database, inTransaction } from '../db/database.ts';
import { liveness } from '../db/schema.ts';
import { postponeCovered } from '../features/participants/queries.ts';

/** Writes that the service is up; any process may, the latest time stays. */
export async function noteAlive(db: Database, now: Date): Promise<void> {
  await db
    .insert(liveness)
    .values({ aliveAt: now })
    .onConflictDoUpdate({
      target: liveness.one,
      set: { aliveAt: sql`greatest(${liveness.aliveAt}, excluded.alive_at)` },
    });
}

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
    const [row] = await tx.select().from(liveness).for('update');
    if (!row) return;
    const outageMs = readyAt.getTime() - row.aliveAt.getTime();
    if (outageMs > 2 * CLOCK_LIMITS.livenessEveryMs) {
      const closeAt = new Date(readyAt.getTime() + ATTEMPT_LIMITS.outageReprieveMs);
      const covered = await postponeCovered(tx, row.aliveAt, readyAt, closeAt);
      ctx.log.warn({ outageMs, covered }, 'the service was away; covered attempts get a minute more');
    }
    await tx.update(liveness).set({ aliveAt: readyAt });
  });
}
