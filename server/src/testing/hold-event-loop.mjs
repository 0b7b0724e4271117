/*
 * For `node --import`: on SIGUSR2 the event loop that serves requests stands still, as under load of
 * someone's making. Other threads run on.
 */
import { isMainThread } from 'node:worker_threads';

const HELD_MS = 16_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS);
  });
}
