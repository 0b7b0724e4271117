/**
 * A store of files: `folder` and `name` are ids or parts of hashes, never user input. A storage does not
 * interpret the bytes; evidence is already sealed.
 *
 * All methods throw StorageAway while the storage cannot be reached.
 */
export interface Storage {
  /** Whether the files are on our own disk, and so belong into our backup. */
  readonly isOurs: boolean;
  /** Resolves when the bytes are on stable storage. An existing name is replaced. */
  put(folder: string, name: string, bytes: Buffer): Promise<void>;
  /** `undefined` if the file does not exist. */
  get(folder: string, name: string): Promise<Buffer | undefined>;
  /** Removes a file only; does nothing if it does not exist. */
  remove(folder: string, name: string): Promise<void>;
  /** Every file, in any order; `null` where the storage cannot be listed. */
  list(): AsyncIterable<{ folder: string; name: string }> | null;
  /** Removes a folder with its content; does nothing if it does not exist. */
  removeFolder(folder: string): Promise<void>;
}

/** The place of an image with this hash: 256 folders, so that none has too many files. */
export function fileOfImage(hash: string): { folder: string; name: string } {
  return { folder: hash.slice(0, 2), name: hash };
}

/** The storage cannot be reached just now; a retry may succeed. */
export class StorageAway extends Error {
  override name = 'StorageAway';
}

/** An id, a SHA-256, or its first two digits. */
const NAME = /^([0-9a-f-]{36}|[0-9a-f]{64}|[0-9a-f]{2})$/;

export function isFileName(name: string): boolean {
  return NAME.test(name);
}

/** Throws when something else would become part of a path. */
export function requireFileNames(names: string[]): string[] {
  if (!names.every(isFileName)) throw new Error('files are named by ids and hashes');
  return names;
}
