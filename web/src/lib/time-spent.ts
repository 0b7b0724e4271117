/** `Xm Ys` (seed 2), from seconds. */
export function formatTimeSpent(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

/** Whole minutes for the top scorers: floor of seconds / 60 (seed 2). */
export function wholeMinutes(seconds: number): number {
  return Math.floor(Math.max(0, seconds) / 60);
}
