/** The level of digital silence, so that levels stay finite. Decibels. */
export const SILENCE_DB = -100;

/** The level of sound whose samples have this mean square, in decibels; full scale is 0. */
export function levelOf(meanSquare: number): number {
  return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare));
}
