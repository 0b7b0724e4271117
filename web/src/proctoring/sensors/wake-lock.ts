/** Keeps the screen on until the signal aborts, if the browser can. */
export function keepScreenOn(signal: AbortSignal): void {
  if (!('wakeLock' in navigator)) return;
  let lock: WakeLockSentinel | null = null;
  const ask = async () => {
    if (document.visibilityState !== 'visible' || signal.aborted) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (signal.aborted) await lock.release();
    } catch {
      // Refused on low battery. The candidate then has to wake the screen, nothing else.
    }
  };
  // The browser releases the lock when the page is hidden.
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => void lock?.release().catch(() => undefined));
  void ask();
}
