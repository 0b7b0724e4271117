/*
 * Loaded into the server first (`--import`, with `--expose-gc`): on SIGUSR2 it collects garbage and
 * writes the memory usage atomically to SOAK_MEMORY_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env.SOAK_MEMORY_FILE;
if (file === undefined || globalThis.gc === undefined) {
  throw new Error('SOAK_MEMORY_FILE and --expose-gc are needed');
}
let count = 0;
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  count += 1;
  writeFileSync(`${file}.new`, JSON.stringify({ count, rss, heapUsed, external }));
  renameSync(`${file}.new`, file);
});
