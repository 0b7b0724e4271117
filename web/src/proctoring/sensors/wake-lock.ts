/** Keeps the screen on until the signal aborts. Where the browser cannot, nothing happens. */
export function keepScreenOn(signal: AbortSignal): void {
  if (!('wakeLock' in navigator)) return;
  let lock: WakeLockSentinel | null = null;
  const ask = async () => {
    if (document.visibilityState !== 'visible' || signal.aborted) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (signal.aborted) await lock.release();
    } catch {
      // Refused on low battery. A screen that sleeps costs the candidate a touch, nothing else.
    }
  };
  // The browser takes the lock away whenever the page is hidden.
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => void lock?.release().catch(() => undefined));
  void ask();
}
