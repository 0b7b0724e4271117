import type { AppContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import { inSnapshot, inTransaction } from '../../db/database.ts';
import { CHAIN_START, ChainWalk, chainHash, sealHead } from '../../security/audit-chain.ts';
import {
  countSealing,
  findHead,
  listUnsealed,
  lockHead,
  nextSealedRows,
  putHead,
  setSeals,
} from './queries.ts';

const AT_A_TIME = 500;

/**
 * Seals new entries into the hash chain (product 9): gives each its number and its hash, moves the
 * head, and writes the head to the log, where somebody with the database alone cannot reach it.
 * Returns how many were sealed.
 */
export async function sealAudit(ctx: Pick<AppContext, 'db' | 'keys' | 'log'>): Promise<number> {
  let sealed = 0;
  for (;;) {
    const n = await inTransaction(ctx.db, async (tx, afterCommit) => {
      // A row lock is not enough: before the first entry there is no head whose row could be held.
      await lockUntilCommit(tx, 'sealing');
      const head = await lockHead(tx);
      const entries = await listUnsealed(tx, AT_A_TIME);
      if (entries.length === 0) return 0;
      let number = head?.number ?? 0;
      let hash = head?.hash ?? CHAIN_START;
      const seals = entries.map((entry) => {
        number += 1;
        hash = chainHash(hash, number, entry);
        return { id: entry.id, number, hash };
      });
      await setSeals(tx, seals);
      const seal = sealHead(ctx.keys.audit, number, hash);
      await putHead(tx, { number, hash, seal });
      afterCommit(() =>
        ctx.log.info(
          { number, hash: hash.toString('hex'), seal: seal.toString('hex') },
          'audit log sealed',
        ),
      );
      return seals.length;
    });
    sealed += n;
    if (n < AT_A_TIME) return sealed;
  }
}

/** What a walk along the whole chain found. */
export interface AuditVerdict {
  /** Sealed entries. */
  entries: number;
  /** Entries of the last second, without a place in the chain yet. */
  waiting: number;
  head: { number: number; hash: Buffer } | null;
  /** The first thing that is wrong, or `null`. */
  problem: string | null;
}

/**
 * Walks the whole chain, on one snapshot: what is sealed meanwhile does not disturb it.
 *
 * @param known a head that the server's log told at some time: somebody who cuts the end off and
 *   puts back the head of that time is found out by it
 */
export function verifyAudit(
  ctx: Pick<AppContext, 'db' | 'keys'>,
  known?: { number: number; hash: string },
): Promise<AuditVerdict> {
  return inSnapshot(ctx.db, async (tx) => {
    const walk = new ChainWalk();
    let entries = 0;
    let isKnownThere = known === undefined;
    for (let after = 0; ; ) {
      const rows = await nextSealedRows(tx, after, AT_A_TIME);
      for (const row of rows) {
        if (row.number === null || row.hash === null) continue;
        walk.take({ ...row, number: row.number, hash: row.hash });
        if (row.number === known?.number) isKnownThere = row.hash.toString('hex') === known.hash;
        after = row.number;
        entries += 1;
      }
      if (rows.length < AT_A_TIME) break;
    }
    const head = (await findHead(tx)) ?? null;
    const problem =
      walk.end(ctx.keys.audit, head ?? undefined) ??
      (isKnownThere ? null : `entry ${known?.number} is not the one that the log named`);
    const { waiting } = await countSealing(tx);
    return { entries, waiting, head, problem };
  });
}
