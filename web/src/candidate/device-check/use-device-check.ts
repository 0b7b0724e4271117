import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { useEffect, useRef, useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { Trial, TrialResult } from '../../proctoring/device-trial.ts';
import { canFullscreen, secondScreen } from '../../proctoring/sensors/screen.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { levelEveryMs, neededDevices } from '../monitoring/monitor-plan.ts';

export interface DeviceCheck {
  devices: readonly Device[];
  granted: boolean;
  /** A device was refused or does not work, or its prompt stays unanswered. */
  failed: boolean;
  /** Results so far; `null` before the check runs. */
  result: TrialResult | null;
  report(): Record<string, string | number | boolean | null>;
}

export function useDeviceCheck(
  policy: Pick<OwnParticipant['policy'], 'camera' | 'microphone' | 'sound'>,
  consented: boolean,
): DeviceCheck {
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  const [kind] = useState(thisDevice);
  const devices = neededDevices(policy, kind);
  const wanted = devices.join();
  const everyMs = levelEveryMs(policy, kind);
  const [asked, setAsked] = useState(false);
  const [result, setResult] = useState<TrialResult | null>(null);
  const trial = useRef<Trial | null>(null);

  // While the consent is being read: nothing of a device is needed to load the detectors.
  useEffect(() => {
    attemptEngines.want({
      face: wanted.includes('camera'),
      voice: wanted.includes('microphone'),
    });
  }, [wanted]);
  useEffect(() => {
    if (!consented) return;
    const over = new AbortController();
    attemptMonitor.measureRoom(everyMs);
    import('../../proctoring/device-trial.ts').then(
      ({ runTrial }) => {
        if (!over.signal.aborted) trial.current = runTrial(setResult, over.signal);
      },
      (cause) => logProblem('The device check could not be fetched; the attempt can start', cause),
    );
    setAsked(false);
    const plan = { camera: wanted.includes('camera'), microphone: wanted.includes('microphone') };
    void attemptMonitor.askInTurn(neededDevices(plan, { mobile: false })).then(() => {
      if (!over.signal.aborted) setAsked(true);
    });
    return () => over.abort();
  }, [consented, wanted, everyMs]);

  const status = { camera, microphone };
  const granted = devices.every((device) => status[device].kind === 'granted');
  const isRefused = devices.some((device) => status[device].kind === 'failed');
  return {
    devices,
    result,
    failed: isRefused || (asked && !granted),
    granted,
    report: () => ({
      mobile: kind.mobile,
      camera: policy.camera && kind.mobile ? 'no camera (mobile)' : camera.kind,
      cameraLabel: labelOf(camera),
      microphone: microphone.kind,
      microphoneLabel: labelOf(microphone),
      roomFloorDb: attemptMonitor.floorDb,
      fullscreen: canFullscreen(),
      screen: `${window.screen.width}x${window.screen.height}`,
      secondScreen: secondScreen(),
      ...processingOf(microphone),
      ...trial.current?.report(),
      userAgent: navigator.userAgent.slice(0, 500),
    }),
  };
}

function labelOf(status: { kind: string; stream?: MediaStream }): string | null {
  return status.stream?.getTracks()[0]?.label.slice(0, 500) ?? null;
}

/** The audio settings actually in use: browsers may ignore constraints. */
function processingOf(status: { kind: string; stream?: MediaStream }) {
  const settings = status.stream?.getAudioTracks()[0]?.getSettings();
  return {
    echoCancellation: settings?.echoCancellation?.toString() ?? null,
    noiseSuppression: settings?.noiseSuppression ?? null,
    autoGainControl: settings?.autoGainControl ?? null,
  };
}
