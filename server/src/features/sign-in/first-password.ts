import { fstatSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseContext } from '../../app-context.ts';

const FILE = 'first-password';
const STANDARD_OUTPUT = 1;

/**
 * Whether standard output goes to systemd's journal. A program below a service that reads ours through a
 * pipe is not the journal, although it inherits the stream's name.
 *
 * @param stream device and inode, from JOURNAL_STREAM
 */
export function isJournal(stream: string | null, output = STANDARD_OUTPUT): boolean {
  if (stream === null) return false;
  const { dev, ino } = fstatSync(output, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/**
 * Writes the generated password of the first administrator to a file that only we can read.
 *
 * @returns the file
 */
export function storeFirstPassword(dataDir: string, password: string): string {
  const path = join(dataDir, FILE);
  // The mode applies only when the file is created.
  rmSync(path, { force: true });
  writeFileSync(path, `${password}\n`, { mode: 0o600, flush: true });
  return path;
}

/**
 * Removes that file: anyone who has signed in has read it, or has another password. Not awaited, as
 * sign-in must not wait for a disk.
 */
export function deleteFirstPassword({ config, log }: Pick<BaseContext, 'config' | 'log'>): void {
  rm(join(config.dataDir, FILE), { force: true }).catch((error: unknown) => {
    log.warn({ err: error }, 'the file with the first password could not be removed');
  });
}
