import { statfsSync } from 'node:fs';

/** What may still be written to the disk of this folder. */
export function freeGb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / 1e9;
}
