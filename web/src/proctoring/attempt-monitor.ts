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

/** The floor of this room, kept for the life of the tab. Forgetting it only means measuring again. */
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
      // Storage is refused: the floor is measured again after a reload.
    }
  },
};

/** The detectors of this page; fetched apart from it. */
export const attemptEngines = new LoadedEngines(() => import('./engines/load-engines.ts'));

/** The monitor of this page: there is one person and one attempt in it at a time. */
export const attemptMonitor = new Monitor({
  openCamera,
  openMicrophone: (signal) => openMicrophone(thisDevice(), signal),
  watchSound: (stream, everyMs, onReport, signal, onFailure) => {
    attemptEngines.coming
      .then((engines) => engines?.listen(stream, everyMs, onReport, signal))
      .catch((cause) => {
        logProblem('The sound cannot be listened to', cause);
        onFailure(cause);
      });
  },
  watchLiveness,
  keepScreenOn,
  floor: storedFloor,
  onStop: () => attemptEngines.close(),
});
