/*
 * A module for `node --import`: SIGUSR2 blocks the event loop that serves requests, as under deliberate
 * load. Other threads continue.
 */
import { isMainThread } from 'node:worker_threads';

const HELD_MS = 16_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS);
  });
}
