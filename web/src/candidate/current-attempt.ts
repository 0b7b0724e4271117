import type { MonitorReport } from '@invigil/core/contract/attempts/own-participant';
import type { AnswerNotice } from '../answer-sync/answer-sheet.ts';
import { logProblem } from '../lib/problem-log.ts';
import { attemptMonitor } from '../proctoring/attempt-monitor.ts';
import type { DeviceStatus } from '../proctoring/monitor.ts';
import { isFullscreen } from '../proctoring/sensors/fullscreen.ts';
import { toast } from '../ui/toasts/toast.ts';
import { AttemptStore } from './attempt/attempt-store.ts';
import { currentInvigilation } from './monitoring/current-invigilation.ts';
import { storePhase } from './ongoing-page.ts';

/** The page's attempt: one at a time. */
export const currentAttempt = new AttemptStore({
  monitorReport,
  onNotices: sayWhatWasNotTaken,
  reportsSettled: () => currentInvigilation.reportsSettled(),
  onWatched: (watched) => currentInvigilation.setWatched(watched),
});
currentAttempt.subscribe(() => {
  const { phase } = currentAttempt.getSnapshot();
  storePhase(phase);
  currentInvigilation.follow(phase);
});

const REPORTED: Record<DeviceStatus['kind'], string> = {
  off: 'off',
  asking: 'asking',
  granted: 'live',
  failed: 'unavailable',
};

/** `undefined` while monitoring is not running: the server then flags the attempt. */
function monitorReport(): MonitorReport | undefined {
  const watching = wordOfTheWatch();
  if (watching === undefined) return undefined;
  const { camera, microphone } = attemptMonitor.getSnapshot();
  return {
    camera: REPORTED[camera.kind],
    microphone: REPORTED[microphone.kind],
    fullscreen: isFullscreen(),
    visible: document.visibilityState === 'visible',
    ...watching,
  };
}

/** Monitoring errors must not stop the heartbeat. */
function wordOfTheWatch(): MonitorReport | undefined {
  try {
    return currentInvigilation.report();
  } catch (cause) {
    logProblem('Monitoring could not report its state', cause);
    return undefined;
  }
}

function sayWhatWasNotTaken(notices: AnswerNotice[]): void {
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
