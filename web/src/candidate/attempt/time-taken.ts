import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';

/** 'm minutes s seconds', or '0 minutes' (seed 2). Whole seconds in. */
export function timeTaken(seconds: number): string {
  if (seconds <= 0) return '0 minutes';
  return `${Math.floor(seconds / 60)} minutes ${seconds % 60} seconds`;
}

/**
 * The seed's stand-in for a time that cannot be right, in seconds. Only for what this page says while
 * the server cannot be reached; it is never sent.
 */
export function plausibleTimeSpent(seconds: number): number {
  const { plausibleTimeSpentMaxSeconds, implausibleTimeSpentSeconds } = ATTEMPT_LIMITS;
  const isPlausible = seconds > 0 && seconds <= plausibleTimeSpentMaxSeconds;
  return isPlausible ? seconds : implausibleTimeSpentSeconds;
}
