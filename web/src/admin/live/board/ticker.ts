const listeners = new Set<(nowMs: number) => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/**
 * Calls back each second with this page's monotonic time in milliseconds, to the second, until the
 * returned function is called. One timer for all countdowns of the page, running only while there
 * are any.
 */
export function onEachSecond(listener: (nowMs: number) => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    const now = wholeSecond();
    for (const listen of listeners) listen(now);
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** This page's monotonic time in milliseconds, to the second. */
export const wholeSecond = () => Math.floor(performance.now() / 1_000) * 1_000;
