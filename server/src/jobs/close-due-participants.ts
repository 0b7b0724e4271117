import type { BaseContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import { listParticipantsById } from '../db/queries/attempts/attempts.ts';
import { lockDueParticipants } from '../db/queries/attempts/locks.ts';
import { notifyAttempts } from '../db/queries/attempts/news.ts';
import { inTransaction } from '../db/transaction.ts';
import { closeParticipants } from '../features/attempts/start-and-end/close-participants.ts';

/** Attempts closed in one transaction: few enough that a submit never waits long for its row. */
const BATCH_SIZE = 200;

type Ctx = Pick<BaseContext, 'db' | 'clock' | 'log' | 'config' | 'keys' | 'trust'>;

/**
 * Ends every attempt whose due time has passed, without a browser (product 4.4). Pauses while the
 * clock is not trusted, so that a jump of the clock ends no attempt. Returns how many were ended.
 *
 * An attempt that cannot be ended (its rows contradict each other) does not hold up the others:
 * after a failed batch each is tried alone, and the failure is thrown at the end.
 */
export async function closeDueParticipants(ctx: Ctx): Promise<number> {
  let closed = 0;
  let batchSize = BATCH_SIZE;
  const broken: string[] = [];
  let failure: unknown;
  while (ctx.clock.isTrusted()) {
    let ids: string[] = [];
    try {
      await inTransaction(ctx.db, async (tx) => {
        ids = await lockDueParticipants(tx, ctx.clock.now(), batchSize, broken);
        await endBatch(ctx, tx, ids);
      });
    } catch (error) {
      // Affects all attempts, or is temporary; the next run comes in a second.
      if (isDatabaseAway(error) || ids.length === 0) throw error;
      if (ids.length === 1) {
        ctx.log.error({ err: error, participant: ids[0] }, 'an attempt could not be ended');
        failure = error;
        broken.push(...ids);
      }
      batchSize = 1;
      continue;
    }
    closed += ids.length;
    if (ids.length > 0) ctx.log.info({ closed: ids.length }, 'attempts ended by the server');
    if (ids.length < batchSize) break;
  }
  if (failure !== undefined) throw failure;
  return closed;
}

async function endBatch(ctx: Ctx, tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = ctx.clock.now();
  const due = await listParticipantsById(tx, ids);
  await closeParticipants(
    tx,
    ctx,
    due.map((attempt) => ({ attempt, how: 'due', now })),
  );
  await notifyAttempts(tx, ids);
}
