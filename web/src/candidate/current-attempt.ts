import { t } from '@invigil/core/texts/i18n';
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
  const refused = notices.some(({ reason }) => reason === 'refused');
  toast({
    title:
      numbers.length === 0
        ? t('test.refused.some', 'Some answers: the stored answer is shown')
        : t(
            /* {numbers}: one or more, 3, 5 */
            'test.refused.title',
            '{n, plural, one {Question {numbers}: the stored answer is shown} other {Questions {numbers}: the stored answer is shown}}',
            { n: numbers.length, numbers: numbers.join(', ') },
          ),
    description: refused
      ? t(
          /* the stored answer is not what you want */
          'test.refused.notSaved',
          'Your last change could not be saved. Select again if it is not what you want.',
        )
      : t(
          /* the answer */
          'test.refused.elsewhere',
          'It was changed somewhere else. Select again if it is not what you want.',
        ),
    variant: refused ? 'destructive' : 'default',
  });
}
