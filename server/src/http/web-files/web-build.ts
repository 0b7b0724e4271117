import { execFile } from 'node:child_process';
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Logger } from 'pino';
import { codeOf, StartProblem } from '../../runtime/app-error.ts';
import { childEnvironment } from '../../runtime/config.ts';
import { isAlive } from '../../runtime/data-dir.ts';
import { precompress } from './web-compression.ts';

const run = promisify(execFile);

export interface WebBuildOptions {
  root: string;
  /** Receives the result when the checkout is not writable. */
  dataDir: string;
  log: Pick<Logger, 'info' | 'error'>;
  /** Ends the build. */
  signal?: AbortSignal | undefined;
}

/** The sources of the built app, below the checkout. The lock file represents all packages. */
const SOURCES = [
  'web',
  'core/src',
  'core/package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'server/src/http/web-files/web-compression.ts',
];
const NO_SOURCE = /^(?:node_modules|dist.*|\..*|.*\.test\.tsx?)$/;

/** Name of the file with the hash of the sources, in the output so that both appear with one rename. */
const HASH_FILE = '.sources-hash';
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Builds the web app unless it has been built from exactly these sources before.
 *
 * @returns the folder to serve
 * @throws StartProblem when it cannot be built
 */
export async function ensureWebBuild(options: WebBuildOptions): Promise<string> {
  const { root, dataDir, log } = options;
  const hash = await sourcesHash(root);
  const beside = join(root, 'web', 'dist');
  const apart = join(dataDir, 'web-dist');
  const built = [beside, apart].find((folder) => builtFrom(folder) === hash);
  if (built !== undefined) return built;

  const target = isWritable(dirname(beside)) ? beside : apart;
  const began = performance.now();
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const draft = `${target}.new-${mark}`;
  try {
    await mkdir(dirname(target), { recursive: true });
    await buildInto(draft, options);
    await precompress(draft);
    await writeFile(join(draft, HASH_FILE), hash);
    await putInPlace(draft, target, `${target}.old-${mark}`, hash);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  log.info({ folder: target }, `The web app was built in ${seconds} s`);
  return target;
}

async function sourcesHash(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) await addToHash(hash, root, source);
  return hash.digest('hex');
}

async function addToHash(hash: Hash, root: string, path: string): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(join(root, path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (codeOf(error) !== 'ENOTDIR') throw error;
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
    return;
  }
  for (const entry of entries.sort()) {
    if (!NO_SOURCE.test(entry)) await addToHash(hash, root, `${path}/${entry}`);
  }
}

/**
 * Builds in a separate process: it temporarily needs hundreds of megabytes, and would block the event loop
 * while the database starts. The native loader writes nothing beside a read-only vite.config.ts.
 */
async function buildInto(draft: string, { root, log, signal }: WebBuildOptions): Promise<void> {
  const web = join(root, 'web');
  const args = ['build', '--configLoader', 'native', '--outDir', draft, '--emptyOutDir'];
  try {
    const vite = createRequire(join(web, 'package.json')).resolve('vite/package.json');
    await run(process.execPath, [join(dirname(vite), 'bin', 'vite.js'), ...args], {
      cwd: web,
      env: childEnvironment({ NODE_ENV: 'production' }),
      maxBuffer: OUTPUT_MAX_BYTES,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    log.error({ err: error }, 'Building the web app failed');
    throw new StartProblem(`The web app could not be built: ${complaint(error)}`);
  }
}

/**
 * A folder cannot replace another atomically, so the old one is moved aside first. A start in between
 * builds again; of two that finish together, the second finds the same result.
 */
async function putInPlace(draft: string, target: string, old: string, hash: string): Promise<void> {
  await rename(target, old).catch(ignoring('ENOENT'));
  await rename(draft, target).catch((error: unknown) => {
    if (builtFrom(target) !== hash) throw error;
  });
  await rm(old, { recursive: true, force: true });
  await removeLeftovers(target);
}

/** Leftovers of a killed start; one still building has a live process number and is kept. */
async function removeLeftovers(target: string): Promise<void> {
  for (const entry of await readdir(dirname(target))) {
    const pid = new RegExp(`^${basename(target)}\\.(?:new|old)-(\\d+)-\\w+$`).exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(dirname(target), entry), { recursive: true, force: true });
    }
  }
}

function builtFrom(folder: string): string | null {
  const path = join(folder, HASH_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function ignoring(code: string): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}

/** Vite's heading is always the same; the plugin and its reason are in the two lines below it. */
function complaint(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/build failed|error during build/i.test(line));
  return lines.slice(0, 2).join(' ').slice(0, 400);
}
