import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where files are kept: `folder` and `name` are ids, never what somebody typed. What is handed over
 * is sealed already; a storage keeps bytes and knows nothing of them.
 */
export interface Storage {
  /** Resolves when the bytes are on stable storage. The same name again replaces them. */
  put(folder: string, name: string, bytes: Buffer): Promise<void>;
  /** `undefined` where there is no such file. */
  get(folder: string, name: string): Promise<Buffer | undefined>;
  /** Removes a folder with all that is in it; nothing happens where it is not there. */
  removeFolder(folder: string): Promise<void>;
}

/** Files below one folder of the local disk, which is made with the first of them. */
export function diskStorage(root: string): Storage {
  const pathOf = (...ids: string[]) => {
    if (ids.some((id) => !ID.test(id))) throw new Error('files are named by ids');
    return join(root, ...ids);
  };
  return {
    async put(folder, name, bytes) {
      const path = pathOf(folder, name);
      await mkdir(pathOf(folder), { recursive: true, mode: 0o700 });
      // Under another name until it is whole: a crash leaves no half file to be read.
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await writeSynced(draft, bytes);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      // The names have to last as well: of the file, and of a folder that is new.
      await syncFolder(pathOf(folder));
      await syncFolder(root);
    },
    async get(folder, name) {
      try {
        return await readFile(pathOf(folder, name));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  };
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

const ID = /^[0-9a-f-]{36}$/;
