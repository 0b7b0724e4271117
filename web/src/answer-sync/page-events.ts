/**
 * Reports when the page may be closing and when it is back. `visibilitychange` to hidden is the last
 * event that phones send reliably; `pagehide` covers navigation and closing on computers.
 */
export function watchPage(
  page: { window: EventTarget; document: EventTarget & { visibilityState: string } },
  on: { leaving(): void; back(): void },
  signal: AbortSignal,
): void {
  const { window, document } = page;
  window.addEventListener('online', () => on.back(), { signal });
  window.addEventListener('pageshow', () => on.back(), { signal });
  window.addEventListener('pagehide', () => on.leaving(), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') on.leaving();
      else on.back();
    },
    { signal },
  );
}
