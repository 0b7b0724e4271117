import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';

/** 'm minutes s seconds', or '0 minutes' (seed 2). Whole seconds in. */
export function timeTaken(seconds: number): string {
  if (seconds <= 0) return '0 minutes';
  return `${Math.floor(seconds / 60)} minutes ${seconds % 60} seconds`;
}

/**
 * The seed's substitute for an implausible time, in seconds. Only displayed while the server cannot be
 * reached; never sent.
 */
export function plausibleTimeSpent(seconds: number): number {
  const { plausibleTimeSpentMaxSeconds, implausibleTimeSpentSeconds } = ATTEMPT_LIMITS;
  const isPlausible = seconds > 0 && seconds <= plausibleTimeSpentMaxSeconds;
  return isPlausible ? seconds : implausibleTimeSpentSeconds;
}
