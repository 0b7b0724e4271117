import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** Whether pages can be shown in fullscreen here; iPhones cannot. */
export function canFullscreen(): boolean {
  return document.fullscreenEnabled === true;
}

export function isFullscreen(): boolean {
  return document.fullscreenElement !== null;
}

/** Asks for fullscreen. A browser grants it only from a click or a key; `false` when it did not. */
export async function enterFullscreen(): Promise<boolean> {
  if (!canFullscreen()) return false;
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
    return true;
  } catch {
    return false;
  }
}

export async function leaveFullscreen(): Promise<void> {
  if (!isFullscreen()) return;
  await document.exitFullscreen().catch(() => undefined);
}

/**
 * Tells when fullscreen is left or entered. While it is left, a 25 ms poll (seed 9) notices the
 * return even where the event comes late.
 */
export function watchFullscreen(onChange: (full: boolean) => void, signal: AbortSignal): void {
  let known = isFullscreen();
  let poll: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    const full = isFullscreen();
    if (full) {
      clearInterval(poll);
      poll = undefined;
    } else poll ??= setInterval(look, SCREEN_LIMITS.fullscreenPollMs);
    if (full === known) return;
    known = full;
    onChange(full);
  };
  document.addEventListener('fullscreenchange', look, { signal });
  signal.addEventListener('abort', () => clearInterval(poll));
  look();
}
