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
import { parseSecretKey } from '../runtime/config-values.ts';
import { flushFolder } from '../runtime/flush-folder.ts';
import { StartProblem } from '../runtime/start-problem.ts';

const KEY_FILE = 'secret-key';
const NEXT_KEY_FILE = 'secret-key.next';
const KEY_BYTES = 32;

/** What file systems without hard links (some shared folders) answer to `link`. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * The secret that every other key is derived from: from `dataDir` when it is there, else made now
 * (32 random bytes in hexadecimal, mode 0600).
 *
 * Losing it makes one-time codes, stored mail passwords and evidence unreadable, so a broken file is
 * a problem for a person and never a reason to make another one.
 *
 * @throws StartProblem when the file is there and holds no key, or cannot be read or made
 */
export function loadSecretKey(dataDir: string): string {
  const path = join(dataDir, KEY_FILE);
  return readKey(path) ?? createKey(path, randomBytes(KEY_BYTES).toString('hex'));
}

/** The secret key of `dataDir`, or `null` where there is none yet. Throws StartProblem. */
export function findSecretKey(dataDir: string): string | null {
  return readKey(join(dataDir, KEY_FILE));
}

/** Keeps a key that comes from a backup. One that is there already stays. Throws StartProblem. */
export function keepSecretKey(dataDir: string, key: string): void {
  createKey(join(dataDir, KEY_FILE), key);
}

/**
 * Makes the key that shall follow the one of `dataDir`, beside it. It is in force once it was adopted.
 * One that a rotation which was cut short has left behind is used again. Throws StartProblem.
 */
export function makeNextKey(dataDir: string): string {
  const path = join(dataDir, NEXT_KEY_FILE);
  return readKey(path) ?? createKey(path, randomBytes(KEY_BYTES).toString('hex'));
}

/** The key that was made to follow, or `null`. Throws StartProblem. */
export function findNextKey(dataDir: string): string | null {
  return readKey(join(dataDir, NEXT_KEY_FILE));
}

/** Puts the key that was made to follow in the place of the one before. Throws StartProblem. */
export function adoptNextKey(dataDir: string): void {
  try {
    renameSync(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
    flushFolder(dataDir);
  } catch (error) {
    throw new StartProblem(`The new secret key cannot be kept in ${dataDir}: ${String(error)}`);
  }
}

function readKey(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new StartProblem(`The secret key in ${path} cannot be read: ${String(error)}`);
  }
  if ('problem' in parseSecretKey(text)) {
    throw new StartProblem(
      `${path} does not hold a secret key. Restore it from a backup; what was encrypted with the old one cannot be read with another.`,
    );
  }
  return text;
}

/**
 * Written and flushed under another name, then linked into place: the file appears whole or not at
 * all, whenever the power fails, and of two processes that make it at once one wins for both.
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
      if (NO_HARD_LINKS.some((code) => hasCode(error, code))) renameSync(draft, path);
      else if (!hasCode(error, 'EEXIST')) throw error;
    }
    flushFolder(join(path, '..'));
  } catch (error) {
    throw new StartProblem(`The secret key cannot be kept in ${path}: ${String(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (key === null) throw new StartProblem(`The secret key in ${path} vanished while it was made.`);
  return key;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
