import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Identity } from './identity.ts';

/** PostgreSQL names its socket after a port even when it listens on none. */
export const SOCKET_PORT = 5432;

const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** `sun_path` holds 104 bytes on macOS, 108 on Linux, with a closing zero. */
const SOCKET_PATH_MAX_BYTES = 103;

/**
 * A folder of mode 0700 for the server's socket. Below `base` unless that path is too long for a
 * socket; then a short one in the system's folder for temporary files.
 */
export function makeSocketFolder(base: string, identity: Identity): string {
  const folder = fits(join(base, 'run')) ? ownFolder(join(base, 'run')) : temporaryFolder(base);
  if (identity.owner !== null) chownSync(folder, identity.owner.uid, identity.owner.gid);
  return folder;

  function temporaryFolder(path: string): string {
    const hash = createHash('sha256').update(path).digest('hex').slice(0, 12);
    const name = `invigil-${hash}`;
    const root = fits(join(tmpdir(), name)) ? tmpdir() : '/tmp';
    // Anyone can create folders there: one that is not exclusively ours is not used.
    const mine = [process.geteuid?.(), identity.owner?.uid];
    try {
      return ownFolder(join(root, name), (stat) => stat.isDirectory() && mine.includes(stat.uid));
    } catch {
      return mkdtempSync(join(root, 'invigil-'));
    }
  }
}

/** Removes the files of an earlier server: its lock file blocks this one as postmaster.pid does. */
export function emptySocketFolder(folder: string): void {
  for (const name of [SOCKET, `${SOCKET}.lock`]) rmSync(join(folder, name), { force: true });
}

/** After the server has ended. Someone else's file in it is no reason to fail. */
export function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is created again at the next start.
  }
}

function ownFolder(
  path: string,
  isOurs: (stat: { isDirectory(): boolean; uid: number }) => boolean = (stat) => stat.isDirectory(),
): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!isOurs(stat)) throw new Error(`${path} is not ours`);
  if ((stat.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  return path;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= SOCKET_PATH_MAX_BYTES;
}
