import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes the names in `folder` to disk: without it a power cut can undo a finished rename. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
