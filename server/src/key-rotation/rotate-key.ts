import { lockUntilCommit } from '../db/advisory-locks.ts';
import { type Database, insideOf, inTransaction, type Tx } from '../db/database.ts';
import { lockHead, putHead, recordAudit } from '../db/queries/audit.ts';
import { verifyAudit } from '../features/audit-log/seal-audit.ts';
import { createLog } from '../runtime/log.ts';
import { StartProblem } from '../runtime/start-problem.ts';
import { sealHead } from '../security/audit-chain.ts';
import { deriveKeys, type Keys } from '../security/keys.ts';
import { seal, unsealOrNull } from '../security/sealing.ts';
import { hashOneTimeCode } from '../security/secrets/codes.ts';
import { openProgress, putProgress } from '../trust/seal-progress.ts';
import {
  ADMINS,
  EVIDENCE,
  isWhole,
  POLICY,
  RESULTS,
  type SealedKind,
  sealRows,
  walkRows,
} from '../trust/sealed-kinds.ts';
import { findTrustState, insertDefaultPolicy } from '../trust/sealed-queries.ts';
import { removeTrustFile, type Trust, writeTrustFile } from '../trust/trust-file.ts';
import { TrustRoot } from '../trust/trust-root.ts';
import {
  countServing,
  countUnderWay,
  endWhatWasHashed,
  nextSealed,
  putCodeHashes,
  putSealed,
  SEALED_PLACES,
  type SealedPlace,
} from './key-queries.ts';
import { isKeyOf, keepKeyCheck } from './require-key.ts';

const AT_A_TIME = 1_000;

export interface Rotation {
  /** The key of before; `null`: it is lost, and what it sealed with it. */
  oldKey: string | null;
  newKey: string;
  /** Whether it may be done although attempts are under way, whose candidates could not come back. */
  despiteAttempts: boolean;
  /** Where this machine keeps what it knows of the installation. */
  dataDir: string;
  now: Date;
}

/** What a rotation did. */
export interface RotationTally {
  /** Sealed anew, by what it is. */
  resealed: Record<string, number>;
  /** Could not be opened with the key of before, and was left as it is. */
  unreadable: number;
  /** Rows that did not match their seal, and were left so. */
  brokenSeals: number;
  /** One-time passwords that were sent out and work no longer. */
  endedCodes: number;
}

/**
 * Seals everything anew that was sealed with the key of before, in one transaction: all of it or
 * nothing. What was only hashed with it cannot be found again and is ended; one-time passwords that
 * still wait for delivery go on. No process may be serving.
 *
 * @throws StartProblem when the old key is not the one of this installation, the new one is, somebody
 *   serves, attempts are under way, or the head of the audit log is not genuine
 */
export function rotateKey(db: Database, rotation: Rotation): Promise<RotationTally> {
  const { oldKey, newKey, despiteAttempts, dataDir, now } = rotation;
  return inTransaction(db, async (tx, afterCommit) => {
    // Whoever starts meanwhile waits, and then sees that the key is another.
    await lockUntilCommit(tx, 'secretKey');
    await requireNobodyServes(tx);
    if (!despiteAttempts) await requireNoAttempts(tx);
    const next = deriveKeys(newKey);
    const before = oldKey === null ? null : deriveKeys(oldKey);
    await requireFit(tx, before, next);
    const trust = before && (await requireKnownChain(tx, dataDir, before));
    const tally: RotationTally = { resealed: {}, unreadable: 0, brokenSeals: 0, endedCodes: 0 };
    // Their seals cover the two-step secrets, which change now.
    const admins = await listWhole(tx, ADMINS, before);
    const kept: string[] = [];
    for (const place of before ? SEALED_PLACES : []) {
      kept.push(...(await resealPlace(tx, place, before as Keys, next, tally)));
    }
    tally.endedCodes = await endWhatWasHashed(tx, kept, now);
    if (before === null) await insertDefaultPolicy(tx, now);
    tally.brokenSeals += await resealRows(tx, ADMINS, admins, next);
    for (const kind of [POLICY, RESULTS, EVIDENCE]) {
      tally.brokenSeals += await resealRows(tx, kind, await listWhole(tx, kind, before), next);
    }
    await resealProgress(tx, before, next);
    await resealHead(tx, next);
    await keepKeyCheck(tx, next, now);
    const action = before ? 'secret_key.rotated' : 'secret_key.lost';
    await recordAudit(tx, { adminId: null, action, details: { ...tally }, at: now });
    await requireNobodyServes(tx);
    // It fits both keys until the commit is through, whichever of them holds after a power cut.
    if (before && trust) writeTrustFile(dataDir, [before.integrity, next.integrity], trust);
    afterCommit(() => {
      if (trust) writeTrustFile(dataDir, [next.integrity], trust);
      else removeTrustFile(dataDir);
    });
    return tally;
  });
}

/**
 * Refuses to sign a chain that is broken, or does not end where this machine has seen it end: a new
 * key would hide it. Returns what this machine knows, `null` where it knows nothing.
 */
async function requireKnownChain(tx: Tx, dataDir: string, keys: Keys): Promise<Trust | null> {
  const root = new TrustRoot(dataDir, keys.integrity, createLog('error'));
  const { problem } = await verifyAudit({ db: insideOf(tx), keys, trust: root });
  if (problem !== null) {
    throw new StartProblem(
      `The audit log is not whole: ${problem}. Check it with "npm run verify" and the old key; a new key would hide it. Nothing was changed.`,
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
        ? 'OLD_SECRET_KEY is not the key that the data was sealed with. Nothing was changed.'
        : 'The data is sealed with SECRET_KEY already. There is nothing to do.',
    );
  }
  if (!isNew) {
    throw new StartProblem(
      'The new secret key is the one that the data is sealed with already. Nothing was changed.',
    );
  }
}

async function requireNobodyServes(tx: Tx): Promise<void> {
  if ((await countServing(tx)) === 0) return;
  throw new StartProblem(
    'Invigil is running on this database. Stop every process of it first: it would go on with the old key. Nothing was changed.',
  );
}

async function requireNoAttempts(tx: Tx): Promise<void> {
  const n = await countUnderWay(tx);
  if (n === 0) return;
  throw new StartProblem(
    `${n} attempts are under way. Their candidates are signed out by a new key, and their one-time passwords work no longer. Wait for their end, or add --despite-attempts. Nothing was changed.`,
  );
}

/** Returns the ids of codes that go on under the new key. */
async function resealPlace(
  tx: Tx,
  place: SealedPlace,
  before: Keys,
  next: Keys,
  tally: RotationTally,
): Promise<string[]> {
  const kept: string[] = [];
  let resealed = 0;
  for (let after: string | null = null; ; ) {
    const rows = await nextSealed(tx, place, after, AT_A_TIME);
    const opened = rows.flatMap(({ id, sealed }) => {
      const plain = unsealOrNull(before.sealing, sealed, `${place.table}/${id}`);
      return plain === null ? [] : [{ id, plain }];
    });
    tally.unreadable += rows.length - opened.length;
    resealed += opened.length;
    const anew = opened.map(({ id, plain }) => ({
      id,
      sealed: seal(next.sealing, plain, `${place.table}/${id}`),
    }));
    if (anew.length > 0) await putSealed(tx, place, anew);
    if (place.table === 'outbox') {
      const codes = opened.map(({ id, plain }) => ({
        messageId: id,
        codeHash: hashOneTimeCode(next.codes, plain),
      }));
      kept.push(...(await putCodeHashes(tx, codes)));
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < AT_A_TIME) break;
  }
  tally.resealed[place.what] = resealed;
  return kept;
}

/** The rows that are as they were sealed; with the old key lost nobody can tell. */
async function listWhole(tx: Tx, kind: SealedKind, before: Keys | null): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const rows of walkRows(tx, kind)) {
    for (const row of rows) {
      if (before === null || isWhole(before.integrity, kind, row)) ids.add(row.id);
    }
  }
  return ids;
}

/** What is forged stays so. Returns how many rows are. */
async function resealRows(
  tx: Tx,
  kind: SealedKind,
  whole: ReadonlySet<string>,
  next: Keys,
): Promise<number> {
  let broken = 0;
  for await (const rows of walkRows(tx, kind)) {
    const kept = rows.filter(({ id }) => whole.has(id));
    broken += rows.filter(({ id, seal }) => seal !== null && !whole.has(id)).length;
    await sealRows(tx, next.integrity, kind, kept);
  }
  return broken;
}

async function resealProgress(tx: Tx, before: Keys | null, next: Keys): Promise<void> {
  const row = await findTrustState(tx);
  if (before === null) await putProgress(tx, next.integrity, { stage: 'all', after: null });
  const progress = row && before ? openProgress(before.integrity, row) : null;
  if (progress) await putProgress(tx, next.integrity, progress);
}

/** The head was genuine: `requireKnownChain` has refused another one. */
async function resealHead(tx: Tx, next: Keys): Promise<void> {
  const head = await lockHead(tx);
  if (!head) return;
  const { number, hash } = head;
  await putHead(tx, { number, hash, seal: sealHead(next.audit, number, hash) });
}
