import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf } from '../../runtime/app-error.ts';

/** A page opened before an upgrade needs its files until it is reloaded. */
const KEEP_EARLIER_MS = 14 * 86_400_000;

/** Name of a folder in the data folder, which processes of several machines may share. */
const FOLDER = 'web-assets';

/** The folder with the files of the latest start's build, and the one with those of earlier builds. */
function foldersIn(dataDir: string): [current: string, earlier: string] {
  return [join(dataDir, FOLDER, 'current'), join(dataDir, FOLDER, 'earlier')];
}

/** Folders with files of other builds that their pages still need, if they exist. */
export function keptAssetFolders(dataDir: string): string[] {
  return foldersIn(dataDir).filter((folder) => existsSync(folder));
}

/**
 * Stores the files of a build that is about to be served, and those of earlier builds for 14 days after
 * their replacement: file names change with every build, and open pages need the old ones, as do pages of
 * a process that has not been upgraded yet.
 *
 * Several processes may do this concurrently, with different builds.
 *
 * @param build the folder with the build
 */
export async function storeAssets(build: string, dataDir: string): Promise<void> {
  const [current, earlier] = foldersIn(dataDir);
  await Promise.all([current, earlier].map((folder) => mkdir(folder, { recursive: true })));
  const assets = join(build, 'assets');
  const names = new Set(await filesBelow(assets));
  const kept = await filesBelow(current);
  const isKept = new Set(kept);
  for (const name of names) {
    if (!isKept.has(name)) await place(join(assets, name), join(current, name), dataDir);
  }
  for (const name of kept) {
    if (!names.has(name)) await retire(join(current, name), join(earlier, name));
  }
  for (const name of await filesBelow(earlier)) await removeIfOld(join(earlier, name));
}

/** Relative paths. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Stores a file as a hard link where possible, else as a copy that appears atomically. */
async function place(from: string, to: string, dataDir: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    return await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
  }
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const draft = join(dataDir, FOLDER, `draft-${mark}`);
  try {
    await copyFile(from, draft);
    await rename(draft, to);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves a file that no page of the latest build needs; its mtime shows since when. */
async function retire(from: string, to: string): Promise<void> {
  try {
    const now = new Date();
    await utimes(from, now, now);
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
  } catch (error) {
    // Another start was faster.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function removeIfOld(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs > KEEP_EARLIER_MS) await rm(path, { force: true });
}
