import { setImmediate as immediate } from 'node:timers/promises';

/** How long work on many items keeps other requests waiting. Milliseconds. */
const TURN_MS = 10;

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves once everything else has had its turn. Of several that wait, one goes on at a time, so that
 * eight long lists keep others waiting no longer than one does.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => immediate());
  return last;
}

/**
 * Yields the items of a long list one by one, and every few milliseconds lets other requests take their
 * turn. Throws the signal's reason once it is aborted: nobody waits for the rest.
 */
export async function* inTurns<T>(items: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  let began = performance.now();
  for (const item of items) {
    if (performance.now() - began > TURN_MS) {
      await nextTurn();
      began = performance.now();
    }
    signal?.throwIfAborted();
    yield item;
  }
}
