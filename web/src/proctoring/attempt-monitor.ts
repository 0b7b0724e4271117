import { logProblem } from '../lib/problem-log.ts';
import type { Pose } from './detection/face-debouncer.ts';
import { plausibleFloorDb } from './detectors/sound-level.ts';
import { thisDevice } from './device/device-kind.ts';
import { LoadedEngines } from './loaded-engines.ts';
import { Monitor } from './monitor.ts';
import { keepScreenOn } from './sensors/screen.ts';
import { openCamera, openMicrophone, watchLiveness } from './sensors/streams.ts';

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

const KEY = 'invigil-pose';

/**
 * The candidate's head pose when facing the screen, measured at the device check and stored for the
 * life of the tab. Without it the first samples of the attempt set the baseline.
 */
export const storedPose = {
  read(): Pose | null {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
      if (!Array.isArray(stored)) return null;
      const [yaw, pitch]: unknown[] = stored;
      return isAngle(yaw) && isAngle(pitch) ? { yaw, pitch } : null;
    } catch {
      return null;
    }
  },
  write({ yaw, pitch }: Pose): void {
    try {
      sessionStorage.setItem(KEY, JSON.stringify([yaw, pitch]));
    } catch {
      // Storage is not available: the first samples of the attempt set the baseline.
    }
  },
};

/** Larger angles, in degrees, are not those of a person facing the screen. */
function isAngle(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < 45;
}
