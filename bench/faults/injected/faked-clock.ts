import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedBinaries } from '../../../server/src/db/embedded-postgres/binaries.ts';

/** Paths of Debian's package `faketime`, and others. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib64/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];
const LIBRARY = LIBRARIES.find((path) => existsSync(path));

/** Why clocks cannot be faked here; `null` where they can. */
export const whyNoFakedClock = (): string | null =>
  LIBRARY === undefined ? 'install faketime (libfaketimeMT.so.1 was not found)' : null;

/** The wall clock of a program started with `env`; its monotonic clock is unchanged. */
export interface FakedClock {
  env: Record<string, string>;
  set(seconds: number): void;
}

/** @param file holds the offset; it is read once a second */
export function makeFakedClock(file: string): FakedClock {
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  };
}

/**
 * PostgreSQL's programs in a separate folder where `postgres` uses this clock: its launcher does not
 * pass the environment on.
 */
export function postgresBy(clock: FakedClock, folder: string): string {
  const real = installedBinaries();
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const part of ['lib', 'share', 'pg-symlinks.json']) {
    symlinkSync(join(real, part), join(folder, part));
  }
  symlinkSync(join(real, 'bin', 'initdb'), join(folder, 'bin', 'initdb'));
  const settings = Object.entries(clock.env).map(([name, value]) => `${name}='${value}'`);
  const program = join(real, 'bin', 'postgres');
  const script = `#!/bin/sh\nexec env ${settings.join(' ')} '${program}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'postgres'), script, { mode: 0o755 });
  return folder;
}
