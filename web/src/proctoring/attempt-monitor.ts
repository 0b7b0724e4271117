import { z } from 'zod';
import { tabKey } from '../lib/person/local-keys.ts';
import { logProblem } from '../lib/problem-log.ts';
import { plausibleFloorDb } from './detectors/sound-level.ts';
import { thisDevice } from './device/device-kind.ts';
import { LoadedEngines } from './loaded-engines.ts';
import { Monitor } from './monitor.ts';
import { keepScreenOn } from './sensors/screen.ts';
import {
  forgetChosenDevices,
  openCamera,
  openMicrophone,
  watchLiveness,
} from './sensors/streams.ts';

/** The room's noise floor. If it is lost, it is measured again. */
const storedFloor = tabKey('invigil-room-floor', z.number());

export const attemptEngines = new LoadedEngines(() => import('./engines/load-engines.ts'));

/** The page's monitor: one person and one attempt at a time. */
export const attemptMonitor = new Monitor({
  openCamera,
  openMicrophone: (signal) => openMicrophone(thisDevice(), signal),
  watchSound: (stream, everyMs, onReport, signal, onFailure) => {
    attemptEngines.coming
      .then((engines) => engines?.listen(stream, everyMs, onReport, signal))
      .catch((cause) => {
        logProblem('The sound of the microphone cannot be read', cause);
        onFailure(cause);
      });
  },
  watchLiveness,
  keepScreenOn,
  floor: { ...storedFloor, read: () => plausibleFloorDb(storedFloor.read()) },
  onStop: () => attemptEngines.close(),
});

/** Larger angles, in degrees, are not those of a person facing the screen. */
const Angle = z.number().gt(-45).lt(45);

/**
 * The candidate's head pose when facing the screen, measured at the device check. Without it the first
 * samples of the attempt set the baseline.
 */
export const storedPose = tabKey('invigil-pose', z.object({ yaw: Angle, pitch: Angle }));

/** Stops the devices, and forgets what was measured with them and which were selected. */
export function endTrial(): void {
  attemptMonitor.stop();
  storedFloor.remove();
  storedPose.remove();
  forgetChosenDevices();
}
