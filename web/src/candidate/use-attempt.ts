import { useCallback, useSyncExternalStore } from 'react';
import type { AttemptSnapshot } from './attempt/attempt-state.ts';
import { currentAttempt } from './current-attempt.ts';

/** The attempt; drawn again whenever anything of it changes. */
export function useAttempt(): AttemptSnapshot {
  return useSyncExternalStore(currentAttempt.subscribe, currentAttempt.getSnapshot);
}

/** Looked at often enough that a second is never skipped on the screen, milliseconds. */
const LOOK_MS = 200;

/** Whole seconds left, rounded up, so that 0 means over; `null` while the server has not said. */
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
