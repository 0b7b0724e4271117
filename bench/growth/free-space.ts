import { statfsSync } from 'node:fs';

/** Free space on the disk of this folder, in gigabytes. */
export function freeGb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / 1e9;
}
