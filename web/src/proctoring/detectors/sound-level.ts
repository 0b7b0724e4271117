/** The level of digital silence, so that levels stay finite. Decibels. */
export const SILENCE_DB = -100;

/** The level of sound whose samples have this mean square, in decibels; full scale is 0. */
export function levelOf(meanSquare: number): number {
  return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare));
}

/**
 * The number shown as 'Voice: {level} dB' (product 6): twice the decibels above this room's floor,
 * 0 to 120, whole. A browser cannot measure absolute sound pressure.
 */
export function shownLevel(levelDb: number, floorDb: number): number {
  return Math.round(Math.min(120, Math.max(0, 2 * (levelDb - floorDb))));
}

/** Minimum samples for a floor: one and a half seconds at 300 ms. */
const FLOOR_SAMPLES = 5;
const FLOOR_QUANTILE = 0.2;
/**
 * The lowest plausible floor. Microphones with a noise gate deliver digital silence between words;
 * measured from there, every breath would be loud.
 */
const QUIETEST_FLOOR_DB = -65;

/**
 * The room's floor: a low quantile of the levels, so that a spoken word during the check does not
 * raise it. `null` until there are enough samples.
 */
export function roomFloorDb(levelsDb: readonly number[]): number | null {
  if (levelsDb.length < FLOOR_SAMPLES) return null;
  const sorted = [...levelsDb].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) * FLOOR_QUANTILE)] ?? QUIETEST_FLOOR_DB;
  return Math.max(low, QUIETEST_FLOOR_DB);
}

/** Validates a floor from storage. */
export function plausibleFloorDb(value: unknown): number | null {
  return typeof value === 'number' && value > SILENCE_DB && value < 0 ? value : null;
}
