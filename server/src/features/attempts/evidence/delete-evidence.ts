import type { FileContext } from '../../../app-context.ts';
import type { AfterCommit, Tx } from '../../../db/database.ts';
import { workInPortions } from '../../../db/portions.ts';
import {
  destroyKeys,
  listAttemptIdsOf,
  listLeftFolders,
  lockExpiredKeys,
  setFilesRemoved,
} from '../../../db/queries/attempts/evidence.ts';
import { recordLeftovers } from '../../../db/upkeep/erased-leftovers.ts';
import { commandOf, SYSTEM } from '../../../sessions/command.ts';
import { StorageAway } from '../../../storage/storage.ts';

const AT_A_TIME = 200;
const FOLDERS_AT_A_TIME = 500;
/** Sorts before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Ctx = Pick<FileContext, 'db' | 'storage' | 'log'>;

/**
 * Deletes the evidence of attempts that ended before a moment, by destroying their keys;
 * `removeLeftFiles` removes the files. Writes an audit entry per attempt. Returns how many there were.
 */
export async function deleteExpiredEvidence(
  ctx: Ctx,
  endedBefore: Date,
  days: number,
  now: Date,
  stop?: AbortSignal,
): Promise<number> {
  const work = () =>
    commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record }) => {
      const ids = await lockExpiredKeys(tx, endedBefore, AT_A_TIME);
      if (ids.length > 0) await recordLeftovers(tx, now);
      for (const { id, uploads } of await destroyKeys(tx, ids, now)) {
        await record('evidence.deleted', ['participant', id], { uploads, days });
      }
      return ids.length;
    });
  return workInPortions(AT_A_TIME, work, stop);
}

/** Deletes all evidence of an erased person; the erasure itself is the audit entry. */
export async function deleteEvidenceOf(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  now: Date,
  afterCommit: AfterCommit,
): Promise<void> {
  const ids = await listAttemptIdsOf(tx, userId);
  await destroyKeys(tx, ids, now);
  afterCommit(() => {
    void removeFolders(ctx, ids, now).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'evidence was deleted; its files are left to the cleanup job');
    });
  });
}

/**
 * Removes files of deleted evidence that remain because the storage was away or the process
 * ended. Throws StorageAway; the rest is removed next time.
 */
export async function removeLeftFiles(ctx: Ctx, now: Date, stop?: AbortSignal): Promise<void> {
  let after = FIRST_ID;
  for (;;) {
    const ids = await listLeftFolders(ctx.db, after, FOLDERS_AT_A_TIME);
    await removeFolders(ctx, ids, now, stop);
    const last = ids.at(-1);
    if (last === undefined || ids.length < FOLDERS_AT_A_TIME || stop?.aborted) return;
    after = last;
  }
}

/** Removes an upload that was written while the evidence of its attempt was being deleted. */
export async function removeFilesAgain(ctx: Ctx, participantId: string, now: Date): Promise<void> {
  await setFilesRemoved(ctx.db, participantId, null);
  await removeFolders(ctx, [participantId], now);
}

/** One at a time, to keep the load on the storage low. */
async function removeFolders(
  ctx: Ctx,
  ids: readonly string[],
  now: Date,
  stop?: AbortSignal,
): Promise<void> {
  for (const id of ids) {
    if (stop?.aborted) return;
    try {
      await ctx.storage.removeFolder(id);
    } catch (error) {
      if (error instanceof StorageAway) throw error;
      ctx.log.warn({ err: error, participant: id }, 'files of deleted evidence remain');
      continue;
    }
    await setFilesRemoved(ctx.db, id, now);
  }
}
