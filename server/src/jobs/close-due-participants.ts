import type { AppContext } from '../app-context.ts';
import { inTransaction } from '../db/database.ts';
import { tellAttempts } from '../features/live/queries.ts';
import { closeParticipants } from '../features/participants/close-participants.ts';
import { listParticipantsById, lockDueParticipants } from '../features/participants/queries.ts';

/** Attempts closed in one transaction: short enough that a submit never waits long for its row. */
const AT_A_TIME = 200;

/**
 * Ends every attempt whose due time has passed, without any browser (product 4.4). Pauses while the
 * clock is not trusted: a jump of the clock ends no attempt. Returns how many were ended.
 */
export async function closeDueParticipants(
  ctx: Pick<AppContext, 'db' | 'clock' | 'log' | 'config'>,
): Promise<number> {
  let closed = 0;
  for (;;) {
    if (!ctx.clock.isTrusted()) return closed;
    const now = ctx.clock.now();
    const n = await inTransaction(ctx.db, async (tx) => {
      const ids = await lockDueParticipants(tx, now, AT_A_TIME);
      if (ids.length > 0) {
        await closeParticipants(tx, ctx, await listParticipantsById(tx, ids), 'due', now);
        await tellAttempts(tx, ids);
      }
      return ids.length;
    });
    closed += n;
    if (n > 0) ctx.log.info({ closed: n }, 'attempts ended by the server');
    if (n < AT_A_TIME) return closed;
  }
}
