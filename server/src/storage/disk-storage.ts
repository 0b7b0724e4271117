import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../runtime/app-error.ts';
import { isFileName, requireFileNames, type Storage, StorageAway } from './storage.ts';

/** Files below one folder of the local disk, created with the first file. */
export function diskStorage(root: string): Storage {
  const pathOf = (...names: string[]) => join(root, ...requireFileNames(names));
  return {
    isOurs: true,
    async put(folder, name, bytes) {
      const path = pathOf(folder, name);
      await mkdir(pathOf(folder), { recursive: true, mode: 0o700 });
      // The file has another name until it is complete: a crash leaves no partial file.
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await writeSynced(draft, bytes);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw isFull(error) ? new StorageAway('the disk is full', { cause: error }) : error;
      }
      // The names must be durable as well: of the file, and of a new folder.
      await syncFolder(pathOf(folder));
      await syncFolder(root);
    },
    async get(folder, name) {
      try {
        return await readFile(pathOf(folder, name));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(folder, name) {
      await rm(pathOf(folder, name), { force: true });
      // Removes the folder with its last file; fails harmlessly while it has others.
      await rmdir(pathOf(folder)).catch(() => undefined);
    },
    list: () => listFiles(root),
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  };
}

/** Lists all files but drafts: those left by a crash were never stored. */
async function* listFiles(root: string) {
  for (const folder of await namesIn(root)) {
    for (const name of await namesIn(join(root, folder))) {
      if (isFileName(folder) && isFileName(name)) yield { folder, name };
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}

/** Also an exhausted quota: once space is freed, a retry succeeds. */
function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
