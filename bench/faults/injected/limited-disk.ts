import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

export interface LimitedDisk {
  /** Writes until this much is left; `0`: until the disk is full. */
  fillUntil(leftBytes: number): void;
  clear(): void;
  unmount(): void;
}

/** Creates `folder` and mounts a disk there. Throws without root privileges. */
export function mountLimitedDisk(folder: string, megabytes: number): LimitedDisk {
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'invigil-faults', folder);
  const filler = join(folder, 'filler');
  return {
    fillUntil(leftBytes) {
      const file = openSync(filler, 'a');
      const page = Buffer.alloc(MIB, 1);
      try {
        while (freeBytes(folder) > leftBytes) {
          const left = Math.min(MIB, freeBytes(folder) - leftBytes);
          writeSync(file, page, 0, left);
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler, { force: true }),
    unmount: () => run('umount', '--lazy', folder),
  };
}

/** Why a disk cannot be mounted here; `null` where it can. */
export function whyNoLimitedDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'invigil-mount-'));
  try {
    mountLimitedDisk(folder, 1).unmount();
    return null;
  } catch (error) {
    return `a tmpfs cannot be mounted (${error instanceof Error ? error.message : error})`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr.trim());
}
