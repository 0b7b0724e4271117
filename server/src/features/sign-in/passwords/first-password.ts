import { fstatSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../../app-context.ts';

const FILE = 'first-password';
const STANDARD_OUTPUT = 1;

/**
 * Whether what we print is kept by systemd's journal. It names its stream to anyone who writes to it; a
 * program below a service that reads us through a pipe is not the journal, though it hands the name on.
 *
 * @param stream device and inode, as JOURNAL_STREAM says
 */
export function isJournal(stream: string | null, output = STANDARD_OUTPUT): boolean {
  if (stream === null) return false;
  const { dev, ino } = fstatSync(output, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/**
 * Writes the password that was made for the first administrator where only we can read it.
 *
 * @returns the file
 */
export function keepFirstPassword(dataDir: string, password: string): string {
  const path = join(dataDir, FILE);
  // The mode counts for a file that is made, not for one that is there.
  rmSync(path, { force: true });
  writeFileSync(path, `${password}\n`, { mode: 0o600, flush: true });
  return path;
}

/**
 * Removes that file, if it is there: anyone who has signed in has read it, or has another password. No one
 * waits for a disk to sign in.
 */
export function forgetFirstPassword({ config, log }: Pick<AppContext, 'config' | 'log'>): void {
  rm(join(config.dataDir, FILE), { force: true }).catch((error: unknown) => {
    log.warn({ err: error }, 'the file with the first password could not be removed');
  });
}
