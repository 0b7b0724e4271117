import { ATTEMPT_LIMITS, CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { postponeCovered } from '../../db/queries/attempts/ends.ts';
import { lockAliveAt, noteAlive, waitForNoDisk } from '../../db/queries/liveness.ts';
import { extendSessions } from '../../db/queries/session-changes.ts';
import { expiryOf } from '../../features/attempts/start-and-end/begin-attempts.ts';
import { type Noted, OUTAGE_MS } from './liveness-watch.ts';

/**
 * Notes that the service is up, and finds out whether it was away before: then attempts that came due
 * since get a minute in which their candidates can send what they hold (product 4.1). Away means that
 * its processes or its database were down: the note is written by a thread of its own
 * (liveness-thread.ts), so slowness is no outage. Runs before every round of closing as well, so that
 * the first round after an outage ends none of them. The row is locked: of several processes only the
 * first sees the outage.
 */
export async function noteAliveAndRecover(
  ctx: Pick<AppContext, 'db' | 'log'>,
  now: Date,
): Promise<Noted> {
  return inTransaction(ctx.db, async (tx) => {
    const aliveAt = await lockAliveAt(tx);
    const awayMs = aliveAt ? now.getTime() - aliveAt.getTime() : Number.POSITIVE_INFINITY;
    if (aliveAt && awayMs < CLOCK_LIMITS.livenessEveryMs) return { covered: 0, aliveAt };
    const wasAway = aliveAt !== undefined && awayMs > OUTAGE_MS;
    // A disk that is slow is no outage: an ordinary note does not wait for it.
    if (!wasAway) await waitForNoDisk(tx);
    await noteAlive(tx, now);
    if (!wasAway) return { covered: 0, aliveAt: now };
    const closeAt = new Date(now.getTime() + ATTEMPT_LIMITS.outageReprieveMs);
    const sessionIds = await postponeCovered(tx, aliveAt, now, closeAt);
    const covered = sessionIds.length;
    if (covered > 0) {
      // Without a session nobody could send anything: a long outage outlived theirs.
      const expiresAt = expiryOf(closeAt);
      const held = sessionIds.filter((id) => id !== null);
      await extendSessions(tx, held, expiresAt);
      ctx.log.warn(
        { awayMs, covered },
        'attempts came due while the service was away: a minute more',
      );
    }
    return { covered, aliveAt: now };
  });
}
