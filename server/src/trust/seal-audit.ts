import type { AppContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import { inSnapshot, type Tx } from '../db/database.ts';
import { workInPortions } from '../db/portions.ts';
import {
  countSealing,
  findHead,
  findSealedEntry,
  isLogEmptied,
  listUnsealed,
  lockHead,
  nextSealedRows,
  putHead,
  setSeals,
} from '../db/queries/audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { CHAIN_START, type ChainHead, ChainWalk, chainHash, sealHead } from './audit-chain.ts';
import type { KnownHead } from './trust-root.ts';

const BATCH_SIZE = 500;

const FORGED_FILE = 'trust.json in DATA_DIR is not genuine';
const SEEN_HERE = 'trust.json in DATA_DIR names';

/**
 * Seals new entries into the hash chain (product 9): gives each its number and hash, moves the
 * head, and writes the head to the log and to the data folder, where someone with write access to
 * the database cannot change it. Returns how many were sealed.
 *
 * Never extends a chain that ends before the last head this machine has seen, or that lacks it: an
 * alarm is raised and new entries wait until an operator has resolved it.
 */
export async function sealAudit(
  ctx: Pick<AppContext, 'db' | 'keys' | 'log' | 'trust'>,
): Promise<number> {
  return workInPortions(BATCH_SIZE, () =>
    inTransaction(ctx.db, async (tx, afterCommit) => {
      // An advisory lock, because before the first entry there is no head row to lock.
      await lockUntilCommit(tx, 'sealing');
      const head = await lockHead(tx);
      ctx.trust.chainProblem = await findChainProblem(tx, ctx, head);
      if (ctx.trust.chainProblem !== null) return 0;
      const entries = await listUnsealed(tx, BATCH_SIZE);
      if (entries.length === 0) {
        if (head) ctx.trust.storeHead(head);
        return 0;
      }
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
      afterCommit(() => {
        ctx.trust.storeHead({ number, hash });
        ctx.log.info(
          { number, hash: hash.toString('hex'), seal: seal.toString('hex') },
          'audit log sealed',
        );
      });
      return seals.length;
    }),
  );
}

/**
 * Why the chain must not be extended, or `null`. The head may be ahead of what this machine has
 * seen, because another machine seals as well: then everything in between is verified. It is never
 * behind.
 */
async function findChainProblem(
  tx: Tx,
  { keys, trust }: Pick<AppContext, 'keys' | 'trust'>,
  head: ChainHead | undefined,
): Promise<string | null> {
  const known = trust.read();
  if (known === 'forged') return FORGED_FILE;
  const seen = known === 'none' ? null : known;
  if (!head) return findLoss(tx, seen);
  if (seen && head.number < seen.number) {
    return `the head of the chain is number ${head.number}, and number ${seen.number} was sealed before`;
  }
  if (seen) {
    const entry = await findSealedEntry(tx, seen.number);
    if (!entry?.hash?.equals(seen.hash)) return notTheOne(seen.number, SEEN_HERE);
  }
  // The last entry is verified against the one before it when there are no new ones.
  const isNew = seen === null || seen.number < head.number;
  const before = isNew ? null : await findSealedEntry(tx, head.number - 1);
  const after = isNew ? seen : before?.hash ? { number: head.number - 1, hash: before.hash } : null;
  const walk = new ChainWalk(after ?? undefined);
  await walkEntries(tx, walk, after?.number ?? 0);
  return walk.end(keys.audit, head);
}

/** The problem of a chain without a head; none if nothing was ever sealed. */
async function findLoss(tx: Tx, seen: KnownHead | null): Promise<string | null> {
  if (seen) return `the head of the chain is missing, and number ${seen.number} was sealed before`;
  if ((await nextSealedRows(tx, 0, 1)).length > 0) return 'the head of the chain is missing';
  if (await isLogEmptied(tx)) return 'entries are missing from before the first one';
  return null;
}

/** Walks every entry after a number; returns how many there were. */
async function walkEntries(
  tx: Tx,
  walk: ChainWalk,
  from: number,
  see: (number: number, hash: Buffer) => void = () => undefined,
): Promise<number> {
  let entries = 0;
  for (let after = from; ; ) {
    const rows = await nextSealedRows(tx, after, BATCH_SIZE);
    for (const row of rows) {
      if (row.number === null || row.hash === null) continue;
      walk.take({ ...row, number: row.number, hash: row.hash });
      see(row.number, row.hash);
      after = row.number;
      entries += 1;
    }
    if (rows.length < BATCH_SIZE) return entries;
  }
}

export interface AuditVerdict {
  entries: number;
  /** Entries of the last second that are not in the chain yet. */
  waiting: number;
  head: { number: number; hash: Buffer } | null;
  /** The first problem, or `null`. */
  problem: string | null;
}

/**
 * Verifies the whole chain on one snapshot, undisturbed by sealing. The chain must contain the last
 * head that this machine has seen, so cutting off the end or emptying the log is detected.
 *
 * @param named a head that the server logged at some time
 */
export function verifyAudit(
  ctx: Pick<AppContext, 'db' | 'keys' | 'trust'>,
  named?: { number: number; hash: string },
): Promise<AuditVerdict> {
  const trust = ctx.trust.read();
  const seen = typeof trust === 'string' ? null : trust;
  return inSnapshot(ctx.db, async (tx) => {
    const missing = new Map([
      ...(seen ? [[key(seen.number, seen.hash), notTheOne(seen.number, SEEN_HERE)] as const] : []),
      ...(named ? [[`${named.number}:${named.hash}`, notTheOne(named.number)] as const] : []),
    ]);
    const walk = new ChainWalk();
    const entries = await walkEntries(tx, walk, 0, (number, hash) => {
      missing.delete(key(number, hash));
    });
    const head = (await findHead(tx)) ?? null;
    const [absent = null] = missing.values();
    const problem =
      walk.end(ctx.keys.audit, head ?? undefined) ??
      absent ??
      (head ? null : await findLoss(tx, null)) ??
      (trust === 'forged' ? FORGED_FILE : null);
    const { waiting } = await countSealing(tx);
    return { entries, waiting, head, problem };
  });
}

function key(number: number, hash: Buffer): string {
  return `${number}:${hash.toString('hex')}`;
}

function notTheOne(number: number, where = 'the log named'): string {
  return `entry ${number} is not the one that ${where}`;
}
