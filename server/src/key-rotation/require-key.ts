import type pg from 'pg';
import { holdingLock } from '../db/advisory-locks.ts';
import { openDatabase, type Queryable } from '../db/database.ts';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { deriveKeys, type Keys } from '../security/keys.ts';
import { seal, unsealOrNull } from '../security/sealing.ts';
import { adoptNextKey, findNextKey, findSecretKey, loadSecretKey } from '../security/secret-key.ts';
import { findKeyCheck, hasKeyCheck, putKeyCheck } from './key-queries.ts';

const CHECK_VALUE = 'invigil';
const CONTEXT = 'key_check';

const WRONG_KEY =
  'is not the key that the data of this installation was encrypted with: no one-time password would work and no encrypted data could be read. Set the previous key. To change it, stop Invigil and run "npm run rotate-key" (docs/run/backup.md).';

const NOT_OURS =
  'This database does not belong to Invigil. Set DATA_DIR or DATABASE_URL as it is set for the server.';

type Where = Pick<Config, 'secretKey' | 'dataDir'>;

/**
 * Makes sure that the configured secret key is the one of this installation, and stores a check
 * value in a new database. Waits for a rotation in progress.
 *
 * @throws StartProblem if the data was encrypted with another one
 */
export async function requireSecretKey(pool: pg.Pool, where: Where): Promise<void> {
  await holdingLock(pool, 'secretKey', async () => {
    const db = openDatabase(pool);
    if (where.secretKey === null) await finishRotation(db, where.dataDir);
    const keys = deriveKeys(where.secretKey ?? loadSecretKey(where.dataDir));
    if (!(await isKeyOf(db, keys))) throw new StartProblem(`${nameOf(where)} ${WRONG_KEY}`);
    if ((await findKeyCheck(db)) === null) await storeKeyCheck(db, keys, new Date());
  });
}

/** A rotation was interrupted after its commit: the new key in the data folder is already valid. */
async function finishRotation(db: Queryable, dataDir: string): Promise<void> {
  const next = findNextKey(dataDir);
  if (next === null) return;
  const current = findSecretKey(dataDir);
  if (current !== null && (await isKeyOf(db, deriveKeys(current)))) return;
  if (await isKeyOf(db, deriveKeys(next))) adoptNextKey(dataDir);
}

function nameOf({ secretKey, dataDir }: Where): string {
  return secretKey === null ? `The secret key in ${dataDir}` : 'SECRET_KEY';
}

/** The same for commands that only read; nothing is written. */
export async function requireKeyToRead(
  pool: pg.Pool,
  secretKey: string,
  where: Where,
): Promise<void> {
  const db = openDatabase(pool);
  if (!(await hasKeyCheck(db))) throw new StartProblem(NOT_OURS);
  if (!(await isKeyOf(db, deriveKeys(secretKey)))) {
    throw new StartProblem(`${nameOf(where)} ${WRONG_KEY}`);
  }
}

/** Whether the data was encrypted with these keys; also true for a new database. */
export async function isKeyOf(db: Queryable, keys: Keys): Promise<boolean> {
  const check = await findKeyCheck(db);
  return check === null || unsealOrNull(keys.sealing, check, CONTEXT) === CHECK_VALUE;
}

/** Stores the check value of these keys: from now on they are the keys of this installation. */
export async function storeKeyCheck(db: Queryable, keys: Keys, now: Date): Promise<void> {
  await putKeyCheck(db, seal(keys.sealing, CHECK_VALUE, CONTEXT), now);
}
