import { RETENTION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext, FileContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import type { Queryable } from '../../db/database.ts';
import { workInPortions } from '../../db/portions.ts';
import { deleteOldMessages } from '../../db/queries/outbox.ts';
import { deleteOverPreviews } from '../../db/queries/preview-codes.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordLeftovers } from '../../db/upkeep/erased-leftovers.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { everyStep } from '../../runtime/within.ts';
import { commandOf, SYSTEM } from '../../sessions/command.ts';
import { RETENTION, requireGenuine } from '../../trust/row-kinds.ts';
import { deleteExpiredEvidence, removeLeftFiles } from '../attempts/evidence/delete-evidence.ts';
import { dropDeviceChecks, findRetention, putRetentionDays } from './retention-queries.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1_000;

type Ctx = Pick<FileContext, 'db' | 'storage' | 'log' | 'keys' | 'trust'>;

/**
 * Deletes monitoring data of attempts that ended before the retention period, emails of that age that no
 * screen shows, and the codes of test invitations that are over. Results and consent stay. In batches, so
 * that nothing waits long for a lock. Returns how many attempts lost data.
 *
 * @param stop ends it soon; the next run does the rest
 */
export async function deleteExpired(ctx: Ctx, now: Date, stop?: AbortSignal): Promise<number> {
  const stored = await findRetention(ctx.db);
  // Deleted data does not come back.
  if (stored) requireGenuine(ctx, RETENTION, stored);
  const days = stored?.days ?? RETENTION_LIMITS.defaultDays;
  const before = new Date(now.getTime() - days * DAY_MS);
  let deleted = 0;
  await everyStep(ctx.log, {
    async evidence() {
      deleted += await deleteExpiredEvidence(ctx, before, days, now, stop);
    },
    async 'device checks'() {
      deleted += await deleteDeviceChecks(ctx, before, days, now);
    },
    messages: () =>
      inTransaction(ctx.db, async (tx) => {
        if ((await deleteOldMessages(tx, before)) > 0) await recordLeftovers(tx, now);
      }),
    'test invitations': () => deleteOverPreviews(ctx.db, now),
    // Last: it alone needs the evidence storage, which may be unavailable.
    'files of evidence': () => removeLeftFiles(ctx, now, stop),
  });
  return deleted;
}

async function deleteDeviceChecks(
  ctx: Ctx,
  endedBefore: Date,
  days: number,
  now: Date,
): Promise<number> {
  return workInPortions(BATCH_SIZE, () =>
    commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record }) => {
      const dropped = await dropDeviceChecks(tx, endedBefore, BATCH_SIZE);
      if (dropped > 0) {
        await recordLeftovers(tx, now);
        await record('retention.deleted', null, { participants: dropped, days });
      }
      return dropped;
    }),
  );
}

/** How many days monitoring data is kept after the end of an attempt. */
export async function readRetentionDays(db: Queryable): Promise<number> {
  return (await findRetention(db))?.days ?? RETENTION_LIMITS.defaultDays;
}

export function retentionHandlers(ctx: BaseContext) {
  return {
    async getRetention() {
      return { days: await readRetentionDays(ctx.db) };
    },
    /** The next run of the cleanup job applies it. */
    putRetention: ({ body: { days }, command }) =>
      command(async ({ tx, now, record, requireRead }) => {
        await lockUntilCommit(tx, 'settings');
        const before = await readRetentionDays(tx);
        requireRead(before);
        // All of it is new, so it is genuine whatever was stored before.
        await putRetentionDays(tx, RETENTION.sealed(ctx.keys.integrity, { days, updatedAt: now }));
        await record('retention.changed', null, { before, days });
        return { days };
      }),
  } satisfies Handlers;
}
