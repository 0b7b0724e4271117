import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { holdEscape, releaseEscape } from './escape-key.ts';

/** Whether pages can be shown in fullscreen here; iPhones cannot. */
export function canFullscreen(): boolean {
  return document.fullscreenEnabled === true;
}

export function isFullscreen(): boolean {
  return document.fullscreenElement !== null;
}

/** `keyboardLock`: the same as in escape-key.ts, where the Fullscreen standard of 2026 has arrived. */
const QUIET: FullscreenOptions = { navigationUI: 'hide' };
const QUIET_WITH_ESCAPE = { ...QUIET, keyboardLock: 'browser' };

/** Asks for fullscreen. A browser grants it only from a click or a key; `false` when it did not. */
export async function enterFullscreen(): Promise<boolean> {
  return canFullscreen() && request(QUIET);
}

/**
 * The same for the test itself, where Escape closes dialogs: leaving by it costs a warning, so it must
 * not happen by the way.
 */
export async function enterTestFullscreen(): Promise<boolean> {
  if (!canFullscreen()) return false;
  void holdEscape();
  // A browser that knows the option by other words refuses it.
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
