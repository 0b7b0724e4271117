import { lockUntilCommit } from '../db/advisory-locks.ts';
import { type Database, inTransaction, type Tx } from '../db/database.ts';
import { lockHead, putHead, recordAudit } from '../features/audit/queries.ts';
import { isHeadGenuine, sealHead } from '../security/audit-chain.ts';
import { hashOneTimeCode } from '../security/codes.ts';
import { deriveKeys, type Keys } from '../security/keys.ts';
import { seal, unsealOrNull } from '../security/sealing.ts';
import { StartProblem } from '../start-problem.ts';
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
  now: Date;
}

/** What a rotation did. */
export interface RotationTally {
  /** Sealed anew, by what it is. */
  resealed: Record<string, number>;
  /** Could not be opened with the key of before, and was left as it is. */
  unreadable: number;
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
  const { oldKey, newKey, despiteAttempts, now } = rotation;
  return inTransaction(db, async (tx) => {
    // Whoever starts meanwhile waits, and then sees that the key is another.
    await lockUntilCommit(tx, 'secretKey');
    await requireNobodyServes(tx);
    if (!despiteAttempts) await requireNoAttempts(tx);
    const next = deriveKeys(newKey);
    const before = oldKey === null ? null : deriveKeys(oldKey);
    await requireFit(tx, before, next);
    const tally: RotationTally = { resealed: {}, unreadable: 0, endedCodes: 0 };
    const kept: string[] = [];
    for (const place of before ? SEALED_PLACES : []) {
      kept.push(...(await resealPlace(tx, place, before as Keys, next, tally)));
    }
    tally.endedCodes = await endWhatWasHashed(tx, kept, now);
    await resealHead(tx, before, next);
    await keepKeyCheck(tx, next, now);
    const action = before ? 'secret_key.rotated' : 'secret_key.lost';
    await recordAudit(tx, { adminId: null, action, details: { ...tally }, at: now });
    await requireNobodyServes(tx);
    return tally;
  });
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

/** The head of the audit log is signed anew only where it was genuine: a forged one stays forged. */
async function resealHead(tx: Tx, before: Keys | null, next: Keys): Promise<void> {
  const head = await lockHead(tx);
  if (!head) return;
  if (before && !isHeadGenuine(before.audit, head)) {
    throw new StartProblem(
      'The head of the audit log is not genuine. Look at it with "npm run audit:verify" and the key of before; a new key would hide it. Nothing was changed.',
    );
  }
  const { number, hash } = head;
  await putHead(tx, { number, hash, seal: sealHead(next.audit, number, hash) });
}
