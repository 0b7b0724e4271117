import type { Pose } from './detection/face-debouncer.ts';

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
