import { useCallback, useSyncExternalStore } from 'react';
import type { AttemptSnapshot } from './attempt/attempt-state.ts';
import { currentAttempt } from './current-attempt.ts';

/** The attempt; renders again on every change. */
export function useAttempt(): AttemptSnapshot {
  return useSyncExternalStore(currentAttempt.subscribe, currentAttempt.getSnapshot);
}

/** Short enough that no second is skipped on the screen, milliseconds. */
const LOOK_MS = 200;

/** Whole seconds left, rounded up, so that 0 means over; `null` while unknown. */
export function useSecondsLeft(): number | null {
  const subscribe = useCallback((listener: () => void) => {
    const timer = setInterval(listener, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return useSyncExternalStore(subscribe, secondsLeft);
}

function secondsLeft(): number | null {
  const left = currentAttempt.remainingMs();
  return left === null ? null : Math.ceil(left / 1_000);
}
