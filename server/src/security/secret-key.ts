import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, StartProblem } from '../runtime/app-error.ts';
import { SecretKey } from '../runtime/config.ts';
import { flushFolder } from '../runtime/data-dir.ts';

const KEY_FILE = 'secret-key';
const NEXT_KEY_FILE = 'secret-key.next';
const KEY_BYTES = 32;

/** The errors of `link` on file systems without hard links (some shared folders). */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * The secret that every other key is derived from: read from `dataDir` if it exists, else created (32
 * random bytes in hexadecimal, mode 0600).
 *
 * Losing it makes one-time codes, stored mail passwords and evidence unreadable, so a broken file is
 * reported and never replaced.
 *
 * @throws StartProblem when the file contains no key, or cannot be read or created
 */
export function loadSecretKey(dataDir: string): string {
  const path = join(dataDir, KEY_FILE);
  return readKey(path) ?? createKey(path, randomBytes(KEY_BYTES).toString('hex'));
}

/** The secret key of `dataDir`, or `null` if there is none yet. Throws StartProblem. */
export function findSecretKey(dataDir: string): string | null {
  return readKey(join(dataDir, KEY_FILE));
}

/** Stores a key from a backup. An existing one is kept. Throws StartProblem. */
export function storeSecretKey(dataDir: string, key: string): void {
  createKey(join(dataDir, KEY_FILE), key);
}

/**
 * Creates the next key of `dataDir`, beside the current one; `adopt` activates it. A key left by an
 * interrupted rotation is reused. Throws StartProblem.
 */
export function makeNextKey(dataDir: string): string {
  const path = join(dataDir, NEXT_KEY_FILE);
  return readKey(path) ?? createKey(path, randomBytes(KEY_BYTES).toString('hex'));
}

/** The next key, or `null`. Throws StartProblem. */
export function findNextKey(dataDir: string): string | null {
  return readKey(join(dataDir, NEXT_KEY_FILE));
}

/** Replaces the current key with the next one. Throws StartProblem. */
export function adoptNextKey(dataDir: string): void {
  try {
    renameSync(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
    flushFolder(dataDir);
  } catch (error) {
    throw new StartProblem(`The new secret key cannot be stored in ${dataDir}: ${String(error)}`);
  }
}

function readKey(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartProblem(`The secret key in ${path} cannot be read: ${String(error)}`);
  }
  if (!SecretKey.safeParse(text).success) {
    throw new StartProblem(
      `${path} does not contain a secret key. Restore it from a backup; what was encrypted with the old one cannot be read with another.`,
    );
  }
  return text;
}

/**
 * Written and flushed under another name, then linked into place: the file appears complete or not at
 * all, whenever the power fails, and of two concurrent creators one wins for both.
 */
function createKey(path: string, fresh: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, `${fresh}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    try {
      linkSync(draft, path);
    } catch (error) {
      if (NO_HARD_LINKS.includes(codeOf(error))) renameSync(draft, path);
      else if (codeOf(error) !== 'EEXIST') throw error;
    }
    flushFolder(join(path, '..'));
  } catch (error) {
    throw new StartProblem(`The secret key cannot be stored in ${path}: ${String(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (key === null)
    throw new StartProblem(`The secret key in ${path} vanished while it was being created.`);
  return key;
}
