/**
 * Where files are stored: `folder` and `name` are ids, never user input. The bytes are already sealed; a
 * storage does not interpret them.
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

/** The storage cannot be reached just now; a retry may succeed. */
export class StorageAway extends Error {
  override name = 'StorageAway';
}

const ID = /^[0-9a-f-]{36}$/;

export function isId(name: string): boolean {
  return ID.test(name);
}

/** Throws when something other than an id would become part of a path. */
export function requireIds(ids: string[]): string[] {
  if (!ids.every(isId)) throw new Error('files are named by ids');
  return ids;
}
