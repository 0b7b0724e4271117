import { lockUntilCommit } from '../db/advisory-locks.ts';
import { type Database, insideOf, type Tx } from '../db/database.ts';
import { insertAudit, lockHead, putHead } from '../db/queries/audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { LINK_KINDS } from '../deliveries/mails.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { createLog } from '../runtime/log.ts';
import { deriveKeys, type Keys } from '../security/keys.ts';
import { boundContext, seal, unsealOrNull } from '../security/sealing.ts';
import { hashOneTimeCode } from '../security/secrets/codes.ts';
import { sealHead } from '../trust/audit-chain.ts';
import { recordedKinds, sealNewKinds } from '../trust/extend-seals.ts';
import { RESEALED_KINDS } from '../trust/row-kinds.ts';
import { verifyAudit } from '../trust/seal-audit.ts';
import { isWhole, type SealedKind, sealRows, walkRows } from '../trust/sealed-kinds.ts';
import { insertDefaultPolicy } from '../trust/sealed-queries.ts';
import { type KnownHead, removeTrustFile, TrustRoot, writeTrustFile } from '../trust/trust-root.ts';
import {
  countInProgress,
  countServing,
  endLinks,
  nextSealed,
  putCodeHashes,
  putSealed,
  revokeHashed,
  SEALED_COLUMNS,
  type SealedColumn,
} from './key-queries.ts';
import { isKeyOf, storeKeyCheck } from './require-key.ts';

const BATCH_SIZE = 1_000;

export interface Rotation {
  /** The old key; `null` if it is lost, together with what it encrypted. */
  oldKey: string | null;
  newKey: string;
  /** Allows a rotation during attempts, whose candidates could not sign in again. */
  despiteAttempts: boolean;
  /** The data folder with trust.json, what this machine knows about the installation. */
  dataDir: string;
  now: Date;
}

export interface RotationTally {
  /** The number of re-encrypted values by kind. */
  resealed: Record<string, number>;
  /** Values that could not be decrypted with the old key and were left unchanged. */
  unreadable: number;
  /** Rows that did not match their seal and were left so. */
  brokenSeals: number;
  /** Sent one-time passwords that no longer work. */
  endedCodes: number;
}

/**
 * Re-encrypts everything that was encrypted with the old key, in one transaction, all or nothing.
 * What was only hashed with it can no longer be verified and is revoked, except queued one-time
 * passwords, which keep working. No server process may be running.
 *
 * @throws StartProblem if the old key is not the one of this installation, the new one is, a server
 *   is running, attempts are in progress, or the audit log is not intact
 */
export function rotateKey(db: Database, rotation: Rotation): Promise<RotationTally> {
  const { oldKey, newKey, despiteAttempts, dataDir, now } = rotation;
  return inTransaction(db, async (tx, afterCommit) => {
    // A process that starts now waits for this lock, and then sees that the key has changed.
    await lockUntilCommit(tx, 'secretKey');
    await requireNoServer(tx);
    if (!despiteAttempts) await requireNoAttempts(tx);
    const next = deriveKeys(newKey);
    const before = oldKey === null ? null : deriveKeys(oldKey);
    await requireFit(tx, before, next);
    const trust = before && (await requireKnownChain(tx, dataDir, before));
    const tally: RotationTally = { resealed: {}, unreadable: 0, brokenSeals: 0, endedCodes: 0 };
    // Data of a former version, restored and not served since.
    if (before) await sealNewKinds(tx, trusting(dataDir, before), now);
    // Before what is encrypted changes, because some seals cover it.
    const intact = new Map<SealedKind, Set<string>>();
    for (const kind of RESEALED_KINDS) intact.set(kind, await listIntact(tx, kind, before));
    const kept: string[] = [];
    await endLinks(tx, LINK_KINDS);
    for (const place of before ? SEALED_COLUMNS : []) {
      kept.push(...(await resealColumn(tx, place, before as Keys, next, tally)));
    }
    tally.endedCodes = await revokeHashed(tx, kept, now);
    if (before === null) await insertDefaultPolicy(tx, now);
    for (const [kind, ids] of intact) tally.brokenSeals += await resealRows(tx, kind, ids, next);
    await resealHead(tx, next);
    await storeKeyCheck(tx, next, now);
    const action = before ? 'secret_key.rotated' : 'secret_key.lost';
    const details = before ? tally : { ...tally, kinds: recordedKinds() };
    await insertAudit(tx, now, null, action, null, { ...details });
    await requireNoServer(tx);
    // Valid under both keys until the commit is done, because after a power cut either may be in
    // force.
    if (before && trust) writeTrustFile(dataDir, [before.integrity, next.integrity], trust);
    afterCommit(() => {
      if (trust) writeTrustFile(dataDir, [next.integrity], trust);
      else removeTrustFile(dataDir);
    });
    return tally;
  });
}

/** The keys, with the trust root of this machine. */
const trusting = (dataDir: string, keys: Keys) => ({
  keys,
  trust: new TrustRoot(dataDir, keys.integrity, createLog('error')),
});

/**
 * Refuses to sign a chain that is broken or does not end where this machine has seen it end: a new
 * key would hide that. Returns what this machine knows about the installation, or `null`.
 */
async function requireKnownChain(tx: Tx, dataDir: string, keys: Keys): Promise<KnownHead | null> {
  const { trust: root } = trusting(dataDir, keys);
  const { problem } = await verifyAudit({ db: insideOf(tx), keys, trust: root });
  if (problem !== null) {
    throw new StartProblem(
      `The audit log is not intact: ${problem}. Check it with "npm run verify" and the old key; a new key would hide the problem. Nothing was changed.`,
    );
  }
  const trust = root.read();
  return typeof trust === 'string' ? null : trust;
}

async function requireFit(tx: Tx, before: Keys | null, next: Keys): Promise<void> {
  const isNew = !(await isKeyOf(tx, next));
  if (before && !(await isKeyOf(tx, before))) {
    throw new StartProblem(
      isNew
        ? 'OLD_SECRET_KEY is not the key that the data was encrypted with. Nothing was changed.'
        : 'The data is already encrypted with SECRET_KEY. There is nothing to do.',
    );
  }
  if (!isNew) {
    throw new StartProblem(
      'The data is already encrypted with the new secret key. Nothing was changed.',
    );
  }
}

async function requireNoServer(tx: Tx): Promise<void> {
  if ((await countServing(tx)) === 0) return;
  throw new StartProblem(
    'Invigil is running on this database. Stop all its processes first; they would keep using the old key. Nothing was changed.',
  );
}

async function requireNoAttempts(tx: Tx): Promise<void> {
  const n = await countInProgress(tx);
  if (n === 0) return;
  throw new StartProblem(
    `${n === 1 ? '1 attempt is' : `${n} attempts are`} in progress. A new key signs the candidates out, and their one-time passwords stop working. Wait until they have finished, or add --despite-attempts. Nothing was changed.`,
  );
}

/** Returns the ids of codes that keep working under the new key. */
async function resealColumn(
  tx: Tx,
  place: SealedColumn,
  before: Keys,
  next: Keys,
  tally: RotationTally,
): Promise<string[]> {
  const kept: string[] = [];
  let resealed = 0;
  for (let after: string | null = null; ; ) {
    const rows = await nextSealed(tx, place, after, BATCH_SIZE);
    const opened = rows.flatMap(({ id, sealed, bound }) => {
      const context =
        bound.length === 0 ? `${place.table}/${id}` : boundContext(place.table, id, bound);
      const plain = unsealOrNull(before.sealing, sealed, context);
      return plain === null ? [] : [{ id, plain, context }];
    });
    tally.unreadable += rows.length - opened.length;
    resealed += opened.length;
    const renewed = opened.map(({ id, plain, context }) => ({
      id,
      sealed: seal(next.sealing, plain, context),
    }));
    if (renewed.length > 0) await putSealed(tx, place, renewed);
    if (place.table === 'outbox') {
      const codes = opened.map(({ id, plain }) => ({
        messageId: id,
        codeHash: hashOneTimeCode(next.codes, plain),
      }));
      kept.push(...(await putCodeHashes(tx, codes)));
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH_SIZE) break;
  }
  tally.resealed[place.what] = resealed;
  return kept;
}

/**
 * The ids of rows that match their seal; all of them if the old key is lost, as no one can tell.
 */
async function listIntact(tx: Tx, kind: SealedKind, before: Keys | null): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const rows of walkRows(tx, kind)) {
    for (const row of rows) {
      if (before === null || isWhole(before.integrity, kind, row)) ids.add(row.id);
    }
  }
  return ids;
}

/** Seals intact rows with the new key; forged ones stay invalid. Returns the number of those. */
async function resealRows(
  tx: Tx,
  kind: SealedKind,
  intact: ReadonlySet<string>,
  next: Keys,
): Promise<number> {
  let broken = 0;
  for await (const rows of walkRows(tx, kind)) {
    const kept = rows.filter(({ id }) => intact.has(id));
    broken += rows.filter(({ id, seal }) => seal !== null && !intact.has(id)).length;
    await sealRows(tx, next.integrity, kind, kept);
  }
  return broken;
}

/** The head is genuine: `requireKnownChain` refuses a forged one. */
async function resealHead(tx: Tx, next: Keys): Promise<void> {
  const head = await lockHead(tx);
  if (!head) return;
  const { number, hash } = head;
  await putHead(tx, { number, hash, seal: sealHead(next.audit, number, hash) });
}
