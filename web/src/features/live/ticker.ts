import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** One timer for all countdowns of the page; none while nobody counts. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const listen of listeners) listen();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

const wholeSecond = () => Math.floor(performance.now() / 1_000) * 1_000;

/** The server's time in milliseconds, to the second; draws its component again each second. */
export function useServerNow(clockOffsetMs: number): number {
  return useSyncExternalStore(subscribe, wholeSecond, wholeSecond) + clockOffsetMs;
}
