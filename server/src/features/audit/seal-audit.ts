import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { CHAIN_START, ChainWalk, chainHash, sealHead } from '../../security/audit-chain.ts';
import { findHead, listUnsealed, lockHead, nextSealedRows, putHead, setSeals } from './queries.ts';

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

/** Walks the whole chain. The first thing that is wrong, or `null`; and how many entries it has. */
export async function verifyAudit(
  ctx: Pick<AppContext, 'db' | 'keys'>,
): Promise<{ entries: number; problem: string | null }> {
  const walk = new ChainWalk();
  let entries = 0;
  for (let after = 0; ; ) {
    const rows = await nextSealedRows(ctx.db, after, AT_A_TIME);
    for (const row of rows) {
      if (row.number === null || row.hash === null) continue;
      walk.take({ ...row, number: row.number, hash: row.hash });
      after = row.number;
      entries += 1;
    }
    if (rows.length < AT_A_TIME) break;
  }
  return { entries, problem: walk.end(ctx.keys.audit, await findHead(ctx.db)) };
}
