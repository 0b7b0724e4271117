import { thisDevice } from './device-kind.ts';
import { Monitor } from './monitor.ts';
import { openCamera } from './sensors/camera.ts';
import { watchLevel } from './sensors/level-meter.ts';
import { openMicrophone } from './sensors/microphone.ts';
import { watchLiveness } from './sensors/stream-liveness.ts';
import { keepScreenOn } from './sensors/wake-lock.ts';
import { plausibleFloorDb } from './sound-level.ts';

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

/** The monitor of this page: there is one person and one attempt in it at a time. */
export const attemptMonitor = new Monitor({
  openCamera,
  openMicrophone: (signal) => openMicrophone(thisDevice(), signal),
  watchLevel,
  watchLiveness,
  keepScreenOn,
  floor: storedFloor,
});
