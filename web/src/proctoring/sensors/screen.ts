import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

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
 * Reports when fullscreen is left or entered. Outside fullscreen, a 25 ms poll (specification 9) detects the
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

/** The used part of `navigator.keyboard`, which desktop Chromium has. */
interface Keyboard {
  lock(keys: readonly string[]): Promise<void>;
  unlock(): void;
}

/**
 * Locks Escape in fullscreen: a short press closes a dialog without leaving fullscreen; a long press
 * still leaves it, as the browser explains. Without support or permission nothing changes.
 */
async function holdEscape(): Promise<void> {
  try {
    await keyboard()?.lock(['Escape']);
  } catch {
    // Not allowed: fullscreen-exits.ts handles exits by Escape.
  }
}

/** Unlocks Escape. */
function releaseEscape(): void {
  keyboard()?.unlock();
}

function keyboard(): Keyboard | null {
  const found: unknown = Reflect.get(navigator, 'keyboard');
  return isKeyboard(found) ? found : null;
}

function isKeyboard(found: unknown): found is Keyboard {
  if (typeof found !== 'object' || found === null) return false;
  return ['lock', 'unlock'].every((name) => typeof Reflect.get(found, name) === 'function');
}

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

/** Whether the desktop extends to another screen; only Chromium exposes it. `null`: unknown. */
export function secondScreen(): boolean | null {
  const extended: unknown = Reflect.get(screen, 'isExtended');
  return typeof extended === 'boolean' ? extended : null;
}
