import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { holdEscape, releaseEscape } from './escape-key.ts';

/** Whether the browser supports fullscreen for pages; iPhones do not. */
export function canFullscreen(): boolean {
  return document.fullscreenEnabled === true;
}

export function isFullscreen(): boolean {
  return document.fullscreenElement !== null;
}

/** `keyboardLock`: as in escape-key.ts, for browsers with the Fullscreen standard of 2026. */
const QUIET: FullscreenOptions = { navigationUI: 'hide' };
const QUIET_WITH_ESCAPE = { ...QUIET, keyboardLock: 'browser' };

/** Enters fullscreen; needs a click or key press. `false` if the browser refused. */
export async function enterFullscreen(): Promise<boolean> {
  return canFullscreen() && request(QUIET);
}

/**
 * The same for the test, with Escape locked: it closes dialogs there, and leaving fullscreen by
 * accident would cost a warning.
 */
export async function enterTestFullscreen(): Promise<boolean> {
  if (!canFullscreen()) return false;
  void holdEscape();
  // A browser with different option values throws.
  return (await request(QUIET_WITH_ESCAPE)) || request(QUIET);
}

async function request(options: FullscreenOptions): Promise<boolean> {
  try {
    await document.documentElement.requestFullscreen(options);
    return true;
  } catch {
    return false;
  }
}

export async function leaveFullscreen(): Promise<void> {
  releaseEscape();
  if (!isFullscreen()) return;
  await document.exitFullscreen().catch(() => undefined);
}

/**
 * Reports when fullscreen is left or entered. Outside fullscreen, a 25 ms poll (seed 9) detects the
 * return even if the event is late.
 */
export function watchFullscreen(onChange: (full: boolean) => void, signal: AbortSignal): void {
  let known = isFullscreen();
  let poll: ReturnType<typeof setInterval> | undefined;
  const check = () => {
    const full = isFullscreen();
    if (full) {
      clearInterval(poll);
      poll = undefined;
    } else poll ??= setInterval(check, SCREEN_LIMITS.fullscreenPollMs);
    if (full === known) return;
    known = full;
    onChange(full);
  };
  document.addEventListener('fullscreenchange', check, { signal });
  signal.addEventListener('abort', () => clearInterval(poll));
  check();
}
