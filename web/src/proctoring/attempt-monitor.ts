import { logProblem } from '../lib/problem-log.ts';
import { plausibleFloorDb } from './detection/sound-level.ts';
import { thisDevice } from './device/device-kind.ts';
import { LoadedEngines } from './loaded-engines.ts';
import { Monitor } from './monitor.ts';
import { openCamera } from './sensors/camera.ts';
import { openMicrophone } from './sensors/microphone.ts';
import { watchLiveness } from './sensors/stream-liveness.ts';
import { keepScreenOn } from './sensors/wake-lock.ts';

const FLOOR_KEY = 'invigil-room-floor';

/** The room's noise floor, stored for the life of the tab. If it is lost, it is measured again. */
const storedFloor = {
  read(): number | null {
    try {
      return plausibleFloorDb(Number(sessionStorage.getItem(FLOOR_KEY) ?? Number.NaN));
    } catch {
      return null;
    }
  },
  write(floorDb: number): void {
    try {
      sessionStorage.setItem(FLOOR_KEY, floorDb.toFixed(1));
    } catch {
      // Storage is not available: the floor is measured again after a reload.
    }
  },
};

/** The page's detectors, fetched as a separate chunk. */
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
  floor: storedFloor,
  onStop: () => attemptEngines.close(),
});
