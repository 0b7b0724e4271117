/**
 * Where files are kept: `folder` and `name` are ids, never what someone typed. What is handed over
 * is sealed already; a storage keeps bytes and knows nothing of them.
 *
 * All of it throws StorageAway while the storage cannot be reached.
 */
export interface Storage {
  /** Whether the files lie on our own disk, and so belong into our backup. */
  readonly isOurs: boolean;
  /** Resolves when the bytes are on stable storage. The same name again replaces them. */
  put(folder: string, name: string, bytes: Buffer): Promise<void>;
  /** `undefined` where there is no such file. */
  get(folder: string, name: string): Promise<Buffer | undefined>;
  /** Removes a file, and nothing else in its folder; nothing happens where it is not there. */
  remove(folder: string, name: string): Promise<void>;
  /** Every file, in any order; `null` where the storage cannot be listed. */
  list(): AsyncIterable<{ folder: string; name: string }> | null;
  /** Removes a folder with all that is in it; nothing happens where it is not there. */
  removeFolder(folder: string): Promise<void>;
}

/** The storage cannot be reached just now; the same again later may go through. */
export class StorageAway extends Error {
  override name = 'StorageAway';
}

const ID = /^[0-9a-f-]{36}$/;

export function isId(name: string): boolean {
  return ID.test(name);
}

/** Throws where something other than an id would become part of a path. */
export function requireIds(ids: string[]): string[] {
  if (!ids.every(isId)) throw new Error('files are named by ids');
  return ids;
}
