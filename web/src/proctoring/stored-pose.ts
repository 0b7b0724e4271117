import type { Pose } from './detection/face-debouncer.ts';

const KEY = 'invigil-pose';

/**
 * Where the person looks when they look at the screen, measured at the device check and kept for the
 * life of the tab. Without it the first looks of the attempt tell.
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
      // Storage is refused: the first looks of the attempt tell.
    }
  },
};

/** A person who faces a screen at all looks less far away from it than this. */
function isAngle(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < 45;
}
