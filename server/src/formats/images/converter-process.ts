import { setInterval } from 'node:timers';

/*
 * The process that converts images (image-converter.ts starts it). Decoders are native code that reads
 * foreign files: here they hold no secret, no connection and no answer, and can be stopped at any time.
 */

const CHECK_EVERY_MS = 50;
const maxMemoryBytes = Number(process.argv[2]);

process.on('disconnect', () => process.exit());
// Decoders work in threads, so this runs while they do. Not `process.exit`, which waits for them.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS).unref();

try {
  const { convertImage } = await import('./convert-image.ts');
  process.on('message', async (bytes: Uint8Array) => process.send?.(await convertImage(bytes)));
  process.send?.('ready');
} catch (error) {
  // The library has no build for every system.
  process.send?.({ failure: String(error) });
}
