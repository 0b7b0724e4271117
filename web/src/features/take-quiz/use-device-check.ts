import type { OwnParticipant } from '@invigil/core/contract/participants';
import { useEffect, useState } from 'react';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device-kind.ts';
import type { Device } from '../../proctoring/media-failure.ts';
import { canFullscreen } from '../../proctoring/sensors/fullscreen.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { levelEveryMs, neededDevices } from './monitor-plan.ts';

export interface DeviceCheck {
  devices: readonly Device[];
  granted: boolean;
  /** A device was refused or does not work. */
  failed: boolean;
  /** For the record of the attempt. */
  report(): Record<string, string | number | boolean | null>;
}

/** Asks for the devices of a policy once there is consent, and tells what was found. */
export function useDeviceCheck(policy: OwnParticipant['policy'], consented: boolean): DeviceCheck {
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  const [kind] = useState(thisDevice);
  const devices = neededDevices(policy, kind);
  const wanted = devices.join();
  const everyMs = levelEveryMs(policy, kind);

  useEffect(() => {
    if (!consented) return;
    attemptMonitor.measureRoom(everyMs);
    // One question of the browser after the other: two at once hide each other in some browsers.
    void (async () => {
      for (const device of neededDevices(
        { camera: wanted.includes('camera'), microphone: wanted.includes('microphone') },
        { mobile: false },
      )) {
        await attemptMonitor.ask(device);
      }
    })();
  }, [consented, wanted, everyMs]);

  const status = { camera, microphone };
  return {
    devices,
    failed: devices.some((device) => status[device].kind === 'failed'),
    granted: devices.every((device) => status[device].kind === 'granted'),
    report: () => ({
      mobile: kind.mobile,
      camera: policy.camera && kind.mobile ? 'no camera (mobile)' : camera.kind,
      cameraLabel: labelOf(camera),
      microphone: microphone.kind,
      microphoneLabel: labelOf(microphone),
      roomFloorDb: attemptMonitor.floorDb,
      fullscreen: canFullscreen(),
      screen: `${window.screen.width}x${window.screen.height}`,
      userAgent: navigator.userAgent.slice(0, 500),
    }),
  };
}

function labelOf(status: { kind: string; stream?: MediaStream }): string | null {
  return status.stream?.getTracks()[0]?.label.slice(0, 500) ?? null;
}
