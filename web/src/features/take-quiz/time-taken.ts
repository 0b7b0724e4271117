/** 'm minutes s seconds', or '0 minutes' (seed 2). Whole seconds in. */
export function timeTaken(seconds: number): string {
  if (seconds <= 0) return '0 minutes';
  return `${Math.floor(seconds / 60)} minutes ${seconds % 60} seconds`;
}
