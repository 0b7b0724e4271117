import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { addReviewFlag } from '../../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../../db/queries/attempts/events.ts';
import { findRunningOf } from '../../../db/queries/attempts/locks.ts';

/**
 * Records that a candidate's sessions sent far more requests than a page does: an outage then gives the
 * attempt no extra time, and a reviewer sees it flagged. Never throws, as it is not awaited.
 */
export async function recordFlood(
  ctx: Pick<BaseContext, 'db' | 'clock' | 'log'>,
  invitationId: string,
): Promise<void> {
  ctx.log.warn({ invitation: invitationId }, 'requests refused: a candidate sends too many');
  try {
    await inTransaction(ctx.db, async (tx) => {
      const id = await findRunningOf(tx, invitationId);
      if (id === undefined) return;
      const event = { participantId: id, kind: 'flooded', at: ctx.clock.now() } as const;
      const before = await insertRepeatedEvent(tx, 'floods', event);
      if (before === 0) await addReviewFlag(tx, id);
    });
  } catch (err) {
    ctx.log.warn({ err, invitation: invitationId }, 'a flood of requests could not be recorded');
  }
}
