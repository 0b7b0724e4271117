import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** Taps further apart than this are separate, CSS pixels. */
const NEAR_PX = 40;

export interface Tap {
  /** monotonic milliseconds */
  at: number;
  x: number;
  y: number;
}

/** The second tap on one place within 300 ms (specification 9), which iOS would treat as a zoom. */
export function isDoubleTap(before: Tap | null, tap: Tap): boolean {
  if (before === null || tap.at - before.at > SCREEN_LIMITS.doubleTapMs) return false;
  return Math.abs(tap.x - before.x) <= NEAR_PX && Math.abs(tap.y - before.y) <= NEAR_PX;
}

/**
 * Blocks the second of two quick taps on one place, until the signal aborts. Pinch zoom, taps that
 * select a word in a field, and quick taps on two buttons still work.
 */
export function blockDoubleTaps(page: EventTarget, signal: AbortSignal): void {
  let before: Tap | null = null;
  const onEnd = (event: Event) => {
    const touch = event instanceof TouchEvent ? event.changedTouches[0] : undefined;
    const isOneFinger = event instanceof TouchEvent && event.touches.length === 0;
    if (touch === undefined || !isOneFinger || isField(event.target)) {
      before = null;
      return;
    }
    const tap = { at: event.timeStamp, x: touch.clientX, y: touch.clientY };
    if (event.cancelable && isDoubleTap(before, tap)) event.preventDefault();
    before = tap;
  };
  // Not passive: preventDefault must be allowed.
  page.addEventListener('touchend', onEnd, { signal, passive: false });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
