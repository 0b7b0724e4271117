import { setTimeout as pause } from 'node:timers/promises';

/** Checks again and again, for this long, that something stays as it is: for what must not happen. */
export async function holdsFor(ms: number, check: () => unknown): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await check();
    await pause(100);
  }
}
