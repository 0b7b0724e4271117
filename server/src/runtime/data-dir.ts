import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf, StartProblem } from './app-error.ts';

const LOCK_FILE = 'invigil.lock';
const PID_FILE = 'invigil.pid';
const SQLITE_BUSY = 5;

/** The exclusive right to use a data folder, until `release` or the end of the process. */
export interface DataDirClaim {
  /** Absolute and without symbolic links. */
  readonly folder: string;
  release(): void;
}

/** Referenced here because a garbage-collected lock is released. */
const held = new Set<DatabaseSync>();

/** How long a claim waits for a concurrent one. */
const LOCK_WITHIN_MS = 500;

/**
 * Creates the data folder if needed (mode 0700) and claims it for this process.
 *
 * The lock must end with its holder, even after kill -9, and work between containers that share a volume:
 * that is an `fcntl` lock. Node has no call for one, but its SQLite takes exactly that on an empty file.
 * Nothing is ever stored in it.
 *
 * @throws StartProblem when another process holds it, or the folder cannot be used
 */
export function claimDataDir(dataDir: string): DataDirClaim {
  const folder = makeDataDir(dataDir);
  const path = join(folder, LOCK_FILE);
  let lock: DatabaseSync;
  try {
    closeSync(openSync(path, 'a', 0o600));
    // The timeout keeps two concurrent starts from each finding the other in the way and both giving up.
    lock = new DatabaseSync(path, { timeout: LOCK_WITHIN_MS });
  } catch (error) {
    throw new StartProblem(`DATA_DIR ${folder} cannot be used: ${reason(error)}`);
  }
  try {
    // Otherwise it creates a journal beside the file, which would outlive a kill.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new StartProblem(
        `Invigil is already running on ${folder}${holder(folder)}. Stop it first, or use another DATA_DIR.`,
      );
    }
    throw new StartProblem(`DATA_DIR ${folder} cannot be locked: ${reason(error)}`);
  }
  held.add(lock);
  writeFileSync(join(folder, PID_FILE), `${process.pid}\n`, { mode: 0o600 });
  return {
    folder,
    release() {
      if (!held.delete(lock)) return;
      rmSync(join(folder, PID_FILE), { force: true });
      lock.close();
    },
  };
}

/**
 * Creates the data folder if needed, for us only (mode 0700).
 *
 * @returns its path without symbolic links
 * @throws StartProblem when it cannot be created or written to
 */
export function makeDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new StartProblem(`DATA_DIR ${dataDir} cannot be used: ${reason(error)}`);
  }
}

/** The other process may be in another container, where its number means nothing: a hint only. */
function holder(folder: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(join(folder, PID_FILE), 'utf8'), 10)})`;
  } catch {
    return '';
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Flushes the names in `folder` to disk: without it a power cut can undo a finished rename. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Whether a process exists, of any user; also true for a zombie, which PostgreSQL treats as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
