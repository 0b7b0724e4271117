import type { AppContext } from '../../app-context.ts';
import { type AfterCommit, inTransaction, type Tx } from '../../db/database.ts';
import { recordAudit } from '../audit/queries.ts';
import { destroyKeys, listAttemptIdsOf, lockExpiredKeys } from './queries.ts';

const AT_A_TIME = 200;

type Ctx = Pick<AppContext, 'db' | 'storage' | 'log'>;

/**
 * Deletes the evidence of attempts that ended before a moment: the key goes, then the files. An
 * entry in the audit log for each attempt. Returns how many there were.
 */
export async function deleteExpiredEvidence(
  ctx: Ctx,
  endedBefore: Date,
  days: number,
  now: Date,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const n = await inTransaction(ctx.db, async (tx, afterCommit) => {
      const ids = await lockExpiredKeys(tx, endedBefore, AT_A_TIME);
      for (const { id, uploads } of await destroyKeys(tx, ids, now)) {
        await recordAudit(tx, {
          adminId: null,
          action: 'evidence.deleted',
          subject: { type: 'participant', id },
          details: { uploads, days },
          at: now,
        });
      }
      removeFiles(ctx, ids, afterCommit);
      return ids.length;
    });
    deleted += n;
    if (n < AT_A_TIME) return deleted;
  }
}

/** Deletes all evidence of a person who is erased; the erasure itself is the entry in the log. */
export async function deleteEvidenceOf(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  now: Date,
  afterCommit: AfterCommit,
): Promise<void> {
  const ids = await listAttemptIdsOf(tx, userId);
  await destroyKeys(tx, ids, now);
  removeFiles(ctx, ids, afterCommit);
}

/** Without the key they are noise; a file that stays behind after a crash tells nothing. */
function removeFiles(ctx: Ctx, ids: readonly string[], afterCommit: AfterCommit): void {
  afterCommit(() => {
    for (const id of ids) {
      ctx.storage.removeFolder(id).catch((error: unknown) => {
        ctx.log.warn({ err: error, participant: id }, 'files of deleted evidence are left over');
      });
    }
  });
}
