import type { AppContext } from '../app-context.ts';
import { inTransaction, type Tx } from '../db/database.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import { listParticipantsById } from '../db/queries/attempts/attempts.ts';
import { lockDueParticipants } from '../db/queries/attempts/locks.ts';
import { tellAttempts } from '../db/queries/attempts/news.ts';
import { closeParticipants } from '../features/attempts/start-and-end/close-participants.ts';

/** Attempts closed in one transaction: short enough that a submit never waits long for its row. */
const AT_A_TIME = 200;

type Ctx = Pick<AppContext, 'db' | 'clock' | 'log' | 'config' | 'keys'>;

/**
 * Ends every attempt whose due time has passed, without any browser (product 4.4). Pauses while the
 * clock is not trusted: a jump of the clock ends no attempt. Returns how many were ended.
 *
 * One that cannot be ended (its rows contradict each other) holds up no other: after a batch that
 * failed each is tried by itself, and the failure is told at the end of the round.
 */
export async function closeDueParticipants(ctx: Ctx): Promise<number> {
  let closed = 0;
  let atATime = AT_A_TIME;
  const broken: string[] = [];
  let failure: unknown;
  while (ctx.clock.isTrusted()) {
    let ids: string[] = [];
    try {
      await inTransaction(ctx.db, async (tx) => {
        ids = await lockDueParticipants(tx, ctx.clock.now(), atATime, broken);
        await endThese(ctx, tx, ids);
      });
    } catch (error) {
      // That concerns everybody, or passes; the next round comes in a second.
      if (isDatabaseAway(error) || ids.length === 0) throw error;
      if (ids.length === 1) {
        ctx.log.error({ err: error, participant: ids[0] }, 'an attempt could not be ended');
        failure = error;
        broken.push(...ids);
      }
      atATime = 1;
      continue;
    }
    closed += ids.length;
    if (ids.length > 0) ctx.log.info({ closed: ids.length }, 'attempts ended by the server');
    if (ids.length < atATime) break;
  }
  if (failure !== undefined) throw failure;
  return closed;
}

async function endThese(ctx: Ctx, tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = ctx.clock.now();
  const due = await listParticipantsById(tx, ids);
  await closeParticipants(
    tx,
    ctx,
    due.map((attempt) => ({ attempt, how: 'due', now })),
  );
  await tellAttempts(tx, ids);
}
