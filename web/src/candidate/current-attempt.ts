import { useCallback, useSyncExternalStore } from 'react';
import type { AnswerNotice } from '../answer-sync/answer-sheet.ts';
import { toast } from '../ui/toast.ts';
import type { AttemptSnapshot } from './attempt/attempt-state.ts';
import { AttemptStore } from './attempt/attempt-store.ts';
import { currentMonitoring } from './monitoring/current-monitoring.ts';
import type { Notices } from './monitoring/notice-board.ts';
import { storePhase } from './navigation.ts';

export const currentAttempt = new AttemptStore({
  monitoring: currentMonitoring,
  onNotices: showRefusedChanges,
  onPhase: (phase) => {
    storePhase(phase);
    currentMonitoring.follow(phase);
  },
});

export function useAttempt(): AttemptSnapshot {
  return useSyncExternalStore(currentAttempt.subscribe, currentAttempt.getSnapshot);
}

export function useNotices(): Notices {
  return useSyncExternalStore(currentMonitoring.subscribe, currentMonitoring.getNotices);
}

/** Short enough that no second is skipped on the screen, milliseconds. */
const CLOCK_SAMPLE_MS = 200;

/** Whole seconds left, rounded up, so that 0 means over; `null` while unknown. */
export function useSecondsLeft(): number | null {
  const subscribe = useCallback((listener: () => void) => {
    const timer = setInterval(listener, CLOCK_SAMPLE_MS);
    return () => clearInterval(timer);
  }, []);
  return useSyncExternalStore(subscribe, secondsLeft);
}

function secondsLeft(): number | null {
  const left = currentAttempt.remainingMs();
  return left === null ? null : Math.ceil(left / 1_000);
}

function showRefusedChanges(notices: AnswerNotice[]): void {
  const { paper } = currentAttempt.getSnapshot();
  const numbers = notices
    .map(({ questionId }) => paper.findIndex(({ id }) => id === questionId) + 1)
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
  const which = numbers.length === 1 ? `Question ${numbers[0]}` : `Questions ${numbers.join(', ')}`;
  const refused = notices.some(({ reason }) => reason === 'refused');
  toast({
    title: `${numbers.length === 0 ? 'Some answers' : which}: the stored answer is shown`,
    description: refused
      ? 'Your last change could not be saved. Select again if it is not what you want.'
      : 'It was changed somewhere else. Select again if it is not what you want.',
    variant: refused ? 'destructive' : 'default',
  });
}
